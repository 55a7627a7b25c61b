//! Textures and surfaces by their objects: HIP's functions read and write the same.

use super::request::{Attempt, advice, no_helpers};
use super::split::{Instruction, Operand};
use super::translator::Translator;
use super::types::Type;
use super::value::bare;

/// The shape of what is read: its name in PTX, in names of functions, how many coordinates it has, and whether a layer stands before them.
const SHAPES: [(&str, &str, usize, bool); 7] = [
    ("1d", "1D", 1, false),
    ("2d", "2D", 2, false),
    ("3d", "3D", 3, false),
    ("a1d", "1DLayered", 1, true),
    ("a2d", "2DLayered", 2, true),
    ("cube", "Cubemap", 3, false),
    ("acube", "CubemapLayered", 3, true),
];

/// A texture or surface and the coordinates in it.
struct Texel {
    object: String,
    name: &'static str,
    /// In the order of HIP's functions, which take the layer behind the others.
    places: String,
}

impl Texel {
    /// Reads `[object, {x, y}]` of a shape; what stands behind the coordinates that count fills the vector up.
    fn read(
        tr: &mut Translator<'_>,
        (shape, opcode): (&str, &str),
        operand: &Operand,
        coordinate: Type,
    ) -> Attempt<Self> {
        let unknown = || advice(opcode);
        let Operand::Texel(object, given) = operand else {
            return Err(unknown());
        };
        let (_, name, count, has_layer) = *SHAPES
            .iter()
            .find(|known| known.0 == shape)
            .ok_or_else(unknown)?;
        let layers = usize::from(has_layer);
        let own = given.get(layers..layers + count).ok_or_else(unknown)?;
        let mut places = Vec::new();
        for place in own {
            places.push(bare(&tr.read(place, coordinate)?).to_owned());
        }
        if has_layer {
            let layer = tr.read(&given[0], Type::Signed(32))?;
            places.push(bare(&layer).to_owned());
        }
        Ok(Self {
            object: tr.raw(object)?,
            name,
            places: places.join(", "),
        })
    }
}

/// `tex{.level}.shape.v4.type.type {r, g, b, a}, [object, {x, …}]{, level}`
pub(super) fn texture(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let opcode = instruction.opcode.as_str();
    let unknown = || advice(opcode);
    let segments = instruction.modifiers();
    let (has_level, segments) = match segments.as_slice() {
        ["level", rest @ ..] => (true, rest),
        all => (false, all),
    };
    let [shape, "v4", ty, coordinate] = segments else {
        return Err(unknown());
    };
    let (to, from, rest) = match instruction.operands.as_slice() {
        [Operand::Vector(to), from, rest @ ..] if to.len() == 4 => (to, from, rest),
        _ => return Err(unknown()),
    };
    let (ty, coordinate) = types(ty, coordinate).ok_or_else(unknown)?;
    let is_fetch = coordinate != Type::Float(32);
    let texel = Texel::read(tr, (shape, opcode), from, coordinate)?;
    let vector = ty.vector(4).ok_or_else(unknown)?;
    let (object, name, places) = (texel.object, texel.name, texel.places);
    let object = format!("(hipTextureObject_t){object}");
    let text = match (has_level, is_fetch, rest) {
        (false, false, []) => format!("tex{name}<{vector}>({object}, {places})"),
        // The one function that takes whole numbers.
        (false, true, []) if name == "1D" => format!("tex1Dfetch<{vector}>({object}, {places})"),
        (true, false, [level]) => {
            let level = tr.read(level, Type::Float(32))?;
            format!(
                "tex{name}Lod<{vector}>({object}, {places}, {})",
                bare(&level)
            )
        }
        _ => return Err(unknown()),
    };
    tr.review("Chips of CDNA 3 and later have no texture hardware: read an array there.");
    let texel = tr.define(&format!("const {vector}"), "texel", &text);
    for (place, part) in to.iter().zip(["x", "y", "z", "w"]) {
        tr.assign(place, ty, &format!("{texel}.{part}"))?;
    }
    Ok(true)
}

fn types(ty: &str, coordinate: &str) -> Option<(Type, Type)> {
    let of = |name: &str| match name {
        "f32" => Some(Type::Float(32)),
        "u32" => Some(Type::Unsigned(32)),
        "s32" => Some(Type::Signed(32)),
        _ => None,
    };
    Some((of(ty)?, of(coordinate)?))
}

/// `suld.b.shape{.vec}.type{.mode} d, [object, {x, …}]` and `sust.b.… [object, {x, …}], d`; the first coordinate counts bytes.
pub(super) fn surface(tr: &mut Translator<'_>, instruction: &Instruction) -> Attempt<bool> {
    let opcode = instruction.opcode.as_str();
    let unknown = || advice(opcode);
    let mut segments = instruction.modifiers();
    let mode = match segments.last() {
        Some(&"trap") => "hipBoundaryModeTrap",
        Some(&"clamp") => "hipBoundaryModeClamp",
        Some(&"zero") => "hipBoundaryModeZero",
        _ => return Err(unknown()),
    };
    segments.pop();
    let (shape, count, ty) = match segments.as_slice() {
        ["b", shape, ty] => (*shape, 1, *ty),
        ["b", shape, "v2", ty] => (*shape, 2, *ty),
        ["b", shape, "v4", ty] => (*shape, 4, *ty),
        _ => return Err(unknown()),
    };
    // Cube maps of surfaces name their faces otherwise.
    if shape.ends_with("cube") {
        return Err(unknown());
    }
    if !tr.request().helpers {
        return Err(no_helpers());
    }
    let bits = ty.strip_prefix('b').and_then(|bits| bits.parse().ok());
    let ty = Type::Unsigned(
        bits.filter(|bits| [8, 16, 32, 64].contains(bits))
            .ok_or_else(unknown)?,
    );
    let name = match count {
        1 => ty.name().to_owned(),
        _ => ty.vector(count).ok_or_else(unknown)?,
    };
    let is_load = instruction.mnemonic() == "suld";
    let (parts, from) = match instruction.operands.as_slice() {
        [parts, from] if is_load => (parts, from),
        [from, parts] => (parts, from),
        _ => return Err(unknown()),
    };
    let parts: Vec<&Operand> = match parts {
        Operand::Vector(parts) => parts.iter().collect(),
        one => vec![one],
    };
    if parts.len() != count {
        return Err(unknown());
    }
    let texel = Texel::read(tr, (shape, opcode), from, Type::Signed(32))?;
    let place = format!(
        "(hipSurfaceObject_t){}, {}, {mode}",
        texel.object, texel.places
    );
    tr.review("Chips of CDNA 3 and later have no texture hardware: use an array there.");
    if is_load {
        let text = format!("cass_surf{}read<{name}>({place})", texel.name);
        let texel = tr.define(&format!("const {name}"), "texel", &text);
        for (part, member) in parts.iter().zip(["x", "y", "z", "w"]) {
            let text = match count {
                1 => texel.clone(),
                _ => format!("{texel}.{member}"),
            };
            tr.assign(part, ty, &text)?;
        }
        return Ok(true);
    }
    let mut texts = Vec::new();
    for part in parts {
        texts.push(bare(&tr.read(part, ty)?).to_owned());
    }
    let value = match count {
        1 => format!("static_cast<{name}>({})", texts[0]),
        _ => format!("make_{name}({})", texts.join(", ")),
    };
    tr.stores();
    tr.plain(format!("cass_surf{}write({value}, {place})", texel.name));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use crate::ptx::{AsmValue, Holds, Layout, Request, Type, Value, translate};

    fn made(text: &str) -> Result<String, String> {
        let value = |text: &str, holds, is_output| AsmValue {
            value: Value::plain(text.to_owned(), holds),
            is_output,
        };
        let float = Holds::Exactly(Type::Float(32));
        let request = Request {
            text,
            operands: vec![
                value("r", float, true),
                value("image", Holds::Exactly(Type::Unsigned(64)), false),
                value("x", float, false),
                value("n", Holds::Exactly(Type::Signed(32)), false),
            ],
            native: false,
            helpers: true,
            volatile: false,
            clobbers_memory: false,
            in_kernel: false,
            module: None,
        };
        let layout = Layout {
            indent: String::new(),
            unit: "    ",
            one_line: false,
            in_list: true,
            semicolon: true,
        };
        translate(&request)
            .map(|it| it.render(&layout))
            .map_err(|obstacles| format!("{obstacles:?}"))
    }

    #[test]
    fn texels_are_read_by_the_functions_of_hip() {
        let registers = "{ .reg .f32 a, b, c, d; .reg .b32 e;";
        for (code, expected) in [
            (
                "tex.2d.v4.f32.f32 {a, b, c, d}, [%1, {%2, %2}];",
                "tex2D<float4>((hipTextureObject_t)image, x, x)",
            ),
            (
                "tex.a2d.v4.f32.f32 {a, b, c, d}, [%1, {%3, %2, %2, %2}];",
                "tex2DLayered<float4>((hipTextureObject_t)image, x, x, n)",
            ),
            (
                "tex.3d.v4.f32.f32 {a, b, c, d}, [%1, {%2, %2, %2, %2}];",
                "tex3D<float4>((hipTextureObject_t)image, x, x, x)",
            ),
            (
                "tex.1d.v4.f32.s32 {a, b, c, d}, [%1, {%3}];",
                "tex1Dfetch<float4>((hipTextureObject_t)image, n)",
            ),
            (
                "tex.level.2d.v4.f32.f32 {a, b, c, d}, [%1, {%2, %2}], %2;",
                "tex2DLod<float4>((hipTextureObject_t)image, x, x, x)",
            ),
        ] {
            let text = made(&format!("{registers} {code} mov.f32 %0, a; }}")).unwrap();
            assert!(text.contains(expected), "{code}\n{text}");
        }
        let text = made(
            "{ .reg .b32 e; suld.b.2d.b32.zero {e}, [%1, {%3, %3}]; sust.b.2d.v2.b32.trap [%1, {%3, %3}], {e, e}; }",
        );
        let text = text.unwrap();
        for expected in [
            "cass_surf2Dread<unsigned>((hipSurfaceObject_t)image, n, n, hipBoundaryModeZero)",
            "cass_surf2Dwrite(make_uint2(e, e), (hipSurfaceObject_t)image, n, n, hipBoundaryModeTrap)",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        for code in [
            "tex.grad.2d.v4.f32.f32 {a, b, c, d}, [%1, {%2, %2}], {a, b}, {c, d};",
            "tex.2d.v4.f32.s32 {a, b, c, d}, [%1, {%3, %3}];",
        ] {
            assert!(made(&format!("{registers} {code} }}")).is_err(), "{code}");
        }
    }
}
