//! Types of PTX and what a C++ expression holds.

use crate::text::keywords::is_qualifier;

/// A type of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Bits without a meaning.
    Bits(u8),
    /// Unsigned integer.
    Unsigned(u8),
    /// Signed integer.
    Signed(u8),
    /// Floating point of 32 or 64 bits.
    Float(u8),
    /// A predicate.
    Predicate,
}

impl Type {
    /// The type that is spelled so: `u32`, `f16x2`. Small floating-point types are the bits that hold them.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "pred" => Self::Predicate,
            "f16" | "bf16" => Self::Unsigned(16),
            "f16x2" | "bf16x2" | "tf32" => Self::Unsigned(32),
            "f32" | "f64" => Self::Float(width(text)?),
            _ => match text.as_bytes().first()? {
                b'u' => Self::Unsigned(width(text)?),
                b's' => Self::Signed(width(text)?),
                b'b' => Self::Bits(width(text)?),
                _ => return None,
            },
        })
    }

    /// Width in bits; a predicate has one.
    pub fn bits(self) -> u8 {
        match self {
            Self::Bits(bits) | Self::Unsigned(bits) | Self::Signed(bits) | Self::Float(bits) => {
                bits
            }
            Self::Predicate => 1,
        }
    }

    /// Its name in C++.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bits(bits) | Self::Unsigned(bits) => match bits {
                8 => "unsigned char",
                16 => "unsigned short",
                32 => "unsigned",
                _ => "unsigned long long",
            },
            Self::Signed(bits) => match bits {
                8 => "signed char",
                16 => "short",
                32 => "int",
                _ => "long long",
            },
            Self::Float(32) => "float",
            Self::Float(_) => "double",
            Self::Predicate => "bool",
        }
    }

    /// The vector type of HIP with `count` parts.
    pub fn vector(self, count: usize) -> Option<String> {
        let stem = match (self, self.bits()) {
            (Self::Float(32), _) => "float",
            (Self::Float(_), _) => "double",
            (Self::Signed(_), 8) => "char",
            (Self::Signed(_), 16) => "short",
            (Self::Signed(_), 32) => "int",
            (Self::Signed(_), 64) => "longlong",
            (_, 8) => "uchar",
            (_, 16) => "ushort",
            (_, 32) => "uint",
            (_, 64) => "ulonglong",
            _ => return None,
        };
        matches!(count, 2 | 4).then(|| format!("{stem}{count}"))
    }

    /// Whether it is an integer or bits.
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Self::Bits(_) | Self::Unsigned(_) | Self::Signed(_))
    }
}

fn width(text: &str) -> Option<u8> {
    match text.get(1..)? {
        "8" => Some(8),
        "16" => Some(16),
        "32" => Some(32),
        "64" => Some(64),
        _ => None,
    }
}

/// What a C++ expression is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Exactly this type.
    Exactly(Type),
    /// An integer of this width, of unknown signedness; with 64 bits perhaps a pointer.
    Integer(u8),
    /// A pointer.
    Pointer,
}

impl Holds {
    /// What a constraint of an operand promises.
    pub(crate) fn of_constraint(constraint: &str) -> Option<Self> {
        let letter = constraint.trim_start_matches(['=', '+', '&']);
        Some(match letter {
            "r" | "n" | "i" => Self::Integer(32),
            "l" => Self::Integer(64),
            "h" => Self::Integer(16),
            "f" => Self::Exactly(Type::Float(32)),
            "d" => Self::Exactly(Type::Float(64)),
            _ => return None,
        })
    }

    /// The constraint's promise made exact by a declaration, if the two agree.
    pub(crate) fn refine(self, declared: Option<Self>) -> Self {
        match (self, declared) {
            (Self::Integer(bits), Some(exact @ Self::Exactly(ty)))
                if ty.is_integer() && ty.bits() == bits =>
            {
                exact
            }
            (Self::Integer(64), Some(Self::Pointer)) => Self::Pointer,
            _ => self,
        }
    }

    /// Width in bits.
    pub fn bits(self) -> u8 {
        match self {
            Self::Exactly(ty) => ty.bits(),
            Self::Integer(bits) => bits,
            Self::Pointer => 64,
        }
    }
}

/// What a variable holds that is declared with these words: `const unsigned int`, `uint32_t`, `float *`.
pub fn declared(words: &[&str]) -> Option<Holds> {
    if words.contains(&"*") {
        return Some(Holds::Pointer);
    }
    let mut words: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !is_qualifier(word.as_bytes()) && !matches!(*word, "&" | "std" | "::"))
        .collect();
    words.sort_unstable();
    let ty = match words.as_slice() {
        ["unsigned"] | ["int", "unsigned"] | ["uint"] | ["uint32_t"] => Type::Unsigned(32),
        ["int"] | ["int", "signed"] | ["int32_t"] => Type::Signed(32),
        ["uint64_t"] | ["long", "long", "unsigned"] | ["int", "long", "long", "unsigned"] => {
            Type::Unsigned(64)
        }
        ["size_t"] | ["uintptr_t"] | ["long", "unsigned"] => Type::Unsigned(64),
        ["int64_t"] | ["long", "long"] | ["int", "long", "long"] | ["long"] => Type::Signed(64),
        ["uint16_t"] | ["short", "unsigned"] | ["ushort"] => Type::Unsigned(16),
        ["int16_t"] | ["short"] => Type::Signed(16),
        ["float"] => Type::Float(32),
        ["double"] => Type::Float(64),
        ["bool"] => Type::Predicate,
        _ => return None,
    };
    Some(Holds::Exactly(ty))
}
