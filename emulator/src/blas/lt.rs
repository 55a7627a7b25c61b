//! hipBLASLt's products of matrices with what follows them (hipblaslt.h of ROCm 6.4): bias, ReLU, GELU, Swish, clamping, and the result in
//! front of them (`AUX`). The library goes by the name of `libhipblaslt.so` too.
//!
//! What hipBLASLt refuses is refused: no other order than columns ("API reference: only the column order is supported for matmul"),
//! no product of other types than float, half, bfloat16 and double with a result of one of them, or of bytes to 32-bit numbers; scalars are
//! of the type that the description names, and computing in half is none of the compute types (`hipblaslt.h`, the table at
//! `hipblasLtMatmul`). What it has and this has not is `HIPBLAS_STATUS_NOT_SUPPORTED` too: 8-bit floats with their scales, gradients of
//! bias and GELU, vectors of scalars.

use std::sync::{Arc, Mutex, PoisonError};

use super::level2::blend;
use super::mixed::Type;
use super::{Op, Outcome, Status};
use crate::host::functions;
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};
use crate::host::{stream, work::Work};

/// A product as it is described.
#[derive(Clone, Copy)]
struct Description {
    compute: i32,
    scale: Type,
    ops: [i32; 2],
    epilogue: u32,
    bias: usize,
    bias_type: i32,
    aux: usize,
    aux_leading: i64,
    aux_stride: i64,
    aux_type: i32,
    pointer_mode: i32,
    /// Something is set that is not emulated.
    has_scales: bool,
    /// Bounds of `HIPBLASLT_EPILOGUE_CLAMP_EXT`.
    bounds: [f32; 2],
}

/// A matrix as it is described.
#[derive(Clone, Copy)]
struct Layout {
    element: i32,
    rows: u64,
    columns: u64,
    leading: i64,
    count: i32,
    stride: i64,
    order: i32,
}

static CONTEXTS: Handles<()> = Handles::new();
static DESCRIPTIONS: Handles<Mutex<Description>> = Handles::new();
static LAYOUTS: Handles<Mutex<Layout>> = Handles::new();
static PREFERENCES: Handles<Mutex<u64>> = Handles::new();

/// `HIPBLASLT_DATATYPE_INVALID`
const UNSET: i32 = 255;

fn with<T, R>(
    all: &Handles<Mutex<T>>,
    handle: Ptr,
    use_it: impl FnOnce(&mut T) -> R,
) -> Outcome<R> {
    let found = all.get(handle).map_err(|_| Status::INVALID_VALUE)?;
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(use_it(&mut found))
}

fn put<T>(to: *mut T, value: T) -> Outcome {
    raw::put(to, value).map_err(|_| Status::INVALID_VALUE)
}

/// Reads an attribute, whose size has to be its own.
fn attribute<T: Copy>(from: Ptr, size: usize) -> Outcome<T> {
    if size != size_of::<T>() {
        return Err(Status::INVALID_VALUE);
    }
    raw::get(from.cast::<T>()).map_err(|_| Status::INVALID_VALUE)
}

fn give<T>(to: Ptr, size: usize, written: *mut usize, value: T) -> Outcome {
    raw::put_if(written, size_of::<T>());
    match size {
        0 => Ok(()),
        _ if size < size_of::<T>() => Err(Status::INVALID_VALUE),
        _ => put(to.cast::<T>(), value),
    }
}

impl Description {
    /// Parts of an epilogue.
    fn has(&self, part: u32) -> bool {
        self.epilogue & part != 0
    }

    fn set(&mut self, which: i32, from: Ptr, size: usize) -> Outcome {
        let pointer = || attribute::<usize>(from, size);
        match which {
            0 | 1 => self.ops[which as usize] = attribute(from, size)?,
            2 => self.epilogue = attribute(from, size)?,
            3 => self.bias = pointer()?,
            4 => self.bias_type = attribute(from, size)?,
            5..=9 | 14 => self.has_scales |= pointer()? != 0,
            10 => self.aux = pointer()?,
            11 => self.aux_leading = attribute(from, size)?,
            12 => self.aux_stride = attribute(from, size)?,
            13 => self.pointer_mode = attribute(from, size)?,
            22 => self.aux_type = attribute(from, size)?,
            _ => return Err(Status::NOT_SUPPORTED),
        }
        Ok(())
    }

    fn get(&self, which: i32, to: Ptr, size: usize, written: *mut usize) -> Outcome {
        match which {
            0 | 1 => give(to, size, written, self.ops[which as usize]),
            2 => give(to, size, written, self.epilogue),
            3 => give(to, size, written, self.bias),
            4 => give(to, size, written, self.bias_type),
            10 => give(to, size, written, self.aux),
            11 => give(to, size, written, self.aux_leading),
            12 => give(to, size, written, self.aux_stride),
            13 => give(to, size, written, self.pointer_mode),
            _ => Err(Status::NOT_SUPPORTED),
        }
    }
}

impl Layout {
    fn set(&mut self, which: i32, from: Ptr, size: usize) -> Outcome {
        match which {
            0 => self.count = attribute(from, size)?,
            1 => self.stride = attribute(from, size)?,
            2 => self.element = attribute(from, size)?,
            3 => self.order = attribute(from, size)?,
            4 => self.rows = attribute(from, size)?,
            5 => self.columns = attribute(from, size)?,
            6 => self.leading = attribute(from, size)?,
            _ => return Err(Status::NOT_SUPPORTED),
        }
        Ok(())
    }

    fn get(&self, which: i32, to: Ptr, size: usize, written: *mut usize) -> Outcome {
        match which {
            0 => give(to, size, written, self.count),
            1 => give(to, size, written, self.stride),
            2 => give(to, size, written, self.element),
            3 => give(to, size, written, self.order),
            4 => give(to, size, written, self.rows),
            5 => give(to, size, written, self.columns),
            6 => give(to, size, written, self.leading),
            _ => Err(Status::NOT_SUPPORTED),
        }
    }
}

/// Elements of a matrix in memory.
#[derive(Clone, Copy)]
struct Matrix {
    address: usize,
    element: Type,
    leading: i64,
    stride: i64,
}

impl Matrix {
    fn new(address: usize, of: &Layout) -> Outcome<Matrix> {
        Ok(Matrix {
            address,
            element: Type::of(of.element)?,
            leading: of.leading,
            stride: of.stride,
        })
    }

    fn at(&self, turn: i64, row: usize, column: usize) -> usize {
        let place = turn * self.stride + column as i64 * self.leading + row as i64;
        self.address + place as usize * self.element.bytes()
    }

    fn get(&self, turn: i64, row: usize, column: usize) -> f64 {
        self.element.load(self.at(turn, row, column))
    }

    fn set(&self, turn: i64, row: usize, column: usize, value: f64) {
        self.element.store(self.at(turn, row, column), value);
    }
}

/// All of a product that was looked at.
struct Product {
    description: Description,
    ops: [Op; 2],
    a: Matrix,
    b: Matrix,
    c: Matrix,
    d: Matrix,
    /// Rows and columns of the result, and how many products make an element.
    size: [usize; 3],
    count: i64,
}

/// `gelu(x)` as Tensile has it: by a hyperbolic tangent.
fn gelu(x: f64) -> f64 {
    let inner = 0.797_884_560_802_865_4 * (x + 0.044_715 * x * x * x);
    0.5 * x * (1.0 + inner.tanh())
}

impl Product {
    fn new(description: Description, layouts: [Layout; 4], places: [usize; 4]) -> Outcome<Product> {
        let [a, b, c, d] = layouts;
        let ops = [Op::of(description.ops[0])?, Op::of(description.ops[1])?];
        let turned = |of: &Layout, op: Op| match op {
            Op::None => (of.rows, of.columns),
            _ => (of.columns, of.rows),
        };
        let ((m, k), (inner, n)) = (turned(&a, ops[0]), turned(&b, ops[1]));
        let is_long = |of: &Layout| of.leading >= of.rows as i64;
        let fits = k == inner
            && [c, d].iter().all(|of| (of.rows, of.columns) == (m, n))
            && layouts.iter().all(|of| of.count == d.count && is_long(of));
        if !fits {
            return Err(Status::INVALID_VALUE);
        }
        if layouts.iter().any(|of| of.order != 0) || description.has_scales {
            return Err(Status::NOT_SUPPORTED);
        }
        let [a, b, c, d] = [
            Matrix::new(places[0], &a)?,
            Matrix::new(places[1], &b)?,
            Matrix::new(places[2], &c)?,
            Matrix::new(places[3], &d)?,
        ];
        let product = Product {
            description,
            ops,
            a,
            b,
            c,
            d,
            size: [m as usize, n as usize, k as usize],
            count: layouts[3].count.into(),
        };
        product.types()?;
        product.epilogue()?;
        Ok(product)
    }

    /// The table of types at `hipblasLtMatmul`.
    fn types(&self) -> Outcome {
        let of = [self.a, self.b, self.c, self.d].map(|it| it.element);
        let short = |it: Type| matches!(it, Type::F16 | Type::Bf16);
        let is_there = match (of, self.description.compute) {
            ([Type::F32, Type::F32, Type::F32, Type::F32], 2 | 4..=6) => true,
            ([a, b, c, d], 2 | 4..=6) => short(a) && a == b && c == d && (c == a || c == Type::F32),
            ([Type::F64, Type::F64, Type::F64, Type::F64], 7) => true,
            ([Type::I8, Type::I8, c, d], 9) => c == d && matches!(c, Type::I8 | Type::I32),
            _ => false,
        };
        let scale = match self.description.compute {
            7 => Type::F64,
            9 => Type::I32,
            _ => Type::F32,
        };
        match is_there && scale == self.description.scale {
            true => Ok(()),
            false => Err(Status::NOT_SUPPORTED),
        }
    }

    /// What follows the product, and whether it is here.
    fn epilogue(&self) -> Outcome {
        const KNOWN: [u32; 16] = [
            1, 2, 4, 6, 32, 36, 130, 134, 160, 164, 65_536, 65_540, 131_072, 131_076, 131_200,
            131_204,
        ];
        let of = &self.description;
        let lacks_aux = of.has(128) && (of.aux == 0 || of.aux_leading < self.size[0] as i64);
        match KNOWN.contains(&of.epilogue) && matches!(of.pointer_mode, 0 | 1) {
            false => Err(Status::NOT_SUPPORTED),
            true if lacks_aux || of.has(4) && of.bias == 0 => Err(Status::INVALID_VALUE),
            true => Ok(()),
        }
    }

    fn activated(&self, x: f64) -> f64 {
        let of = &self.description;
        match of.epilogue {
            _ if of.has(2) => x.max(0.0),
            _ if of.has(32) => gelu(x),
            _ if of.has(65_536) => x / (1.0 + (-x).exp()),
            _ if of.has(131_072) => x.clamp(of.bounds[0].into(), of.bounds[1].into()),
            _ => x,
        }
    }

    /// Computes all products.
    fn run(&self, alpha: f64, beta: f64) {
        let of = &self.description;
        let own_type = |number: i32| Type::of(number).unwrap_or(self.d.element);
        let (bias_type, aux_type) = (own_type(of.bias_type), own_type(of.aux_type));
        let aux = Matrix {
            address: of.aux,
            element: aux_type,
            leading: of.aux_leading,
            stride: of.aux_stride,
        };
        let [m, n, k] = self.size;
        let get = |of: &Matrix, op: Op, turn, row, column| match op {
            Op::None => of.get(turn, row, column),
            _ => of.get(turn, column, row),
        };
        for turn in 0..self.count {
            let [mut left, mut right] = [Vec::with_capacity(m * k), Vec::with_capacity(n * k)];
            left.extend((0..m * k).map(|at| get(&self.a, self.ops[0], turn, at / k, at % k)));
            right.extend((0..n * k).map(|at| get(&self.b, self.ops[1], turn, at % k, at / k)));
            for (row, column) in (0..n).flat_map(|column| (0..m).map(move |row| (row, column))) {
                let one = left[row * k..(row + 1) * k].iter();
                let sum = one
                    .zip(&right[column * k..(column + 1) * k])
                    .map(|(a, b)| a * b)
                    .sum();
                let mut value = blend(alpha, sum, beta, || self.c.get(turn, row, column));
                if of.has(4) {
                    value += bias_type.load(of.bias + row * bias_type.bytes());
                }
                if of.has(128) {
                    aux.set(turn, row, column, value);
                }
                self.d.set(turn, row, column, self.activated(value));
            }
        }
    }
}

/// A product by the handles of its parts.
fn product(description: Ptr, layouts: [Ptr; 4], places: [usize; 4]) -> Outcome<Product> {
    let description = with(&DESCRIPTIONS, description, |it| *it)?;
    let mut found = Vec::with_capacity(layouts.len());
    for layout in layouts {
        found.push(with(&LAYOUTS, layout, |it| *it)?);
    }
    Product::new(
        description,
        [found[0], found[1], found[2], found[3]],
        places,
    )
}

/// What `hipblasLtMatmulAlgoGetHeuristic` says of an algorithm: 64 bytes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Heuristic {
    algorithm: [u8; 16],
    algorithm_workspace: usize,
    workspace: usize,
    state: i32,
    waves: f32,
    reserved: [i32; 4],
}

functions! {
    /// `hipblasLtCreate`
    fn hipblasLtCreate(to: *mut Ptr) { put(to, CONTEXTS.insert(Arc::new(()))) }
    /// `hipblasLtDestroy`
    fn hipblasLtDestroy(handle: Ptr) { CONTEXTS.remove(handle).map(drop).map_err(|_| Status::NOT_INITIALIZED) }
    /// `hipblasLtGetVersion`: 0.12 of ROCm 6.4.
    fn hipblasLtGetVersion(_handle: Ptr, to: *mut i32) { put(to, 1200) }
    /// `hipblasLtMatrixLayoutCreate`
    fn hipblasLtMatrixLayoutCreate(to: *mut Ptr, element: i32, rows: u64, columns: u64, leading: i64) {
        let layout = Layout { element, rows, columns, leading, count: 1, stride: 0, order: 0 };
        put(to, LAYOUTS.insert(Arc::new(Mutex::new(layout))))
    }
    /// `hipblasLtMatrixLayoutDestroy`
    fn hipblasLtMatrixLayoutDestroy(layout: Ptr) { LAYOUTS.remove(layout).map(drop).map_err(|_| Status::INVALID_VALUE) }
    /// `hipblasLtMatrixLayoutSetAttribute`
    fn hipblasLtMatrixLayoutSetAttribute(layout: Ptr, which: i32, from: Ptr, size: usize) {
        with(&LAYOUTS, layout, |it| it.set(which, from, size))?
    }
    /// `hipblasLtMatrixLayoutGetAttribute`
    fn hipblasLtMatrixLayoutGetAttribute(layout: Ptr, which: i32, to: Ptr, size: usize, written: *mut usize) {
        with(&LAYOUTS, layout, |it| it.get(which, to, size, written))?
    }
    /// `hipblasLtMatmulDescCreate`
    fn hipblasLtMatmulDescCreate(to: *mut Ptr, compute: i32, scale: i32) {
        let description = Description {
            compute,
            scale: Type::of(scale)?,
            ops: [111; 2],
            epilogue: 1,
            bias: 0,
            bias_type: UNSET,
            aux: 0,
            aux_leading: 0,
            aux_stride: 0,
            aux_type: UNSET,
            pointer_mode: 0,
            has_scales: false,
            bounds: [f32::NEG_INFINITY, f32::INFINITY],
        };
        put(to, DESCRIPTIONS.insert(Arc::new(Mutex::new(description))))
    }
    /// `hipblasLtMatmulDescDestroy`
    fn hipblasLtMatmulDescDestroy(description: Ptr) {
        DESCRIPTIONS.remove(description).map(drop).map_err(|_| Status::INVALID_VALUE)
    }
    /// `hipblasLtMatmulDescSetAttribute`
    fn hipblasLtMatmulDescSetAttribute(description: Ptr, which: i32, from: Ptr, size: usize) {
        with(&DESCRIPTIONS, description, |it| it.set(which, from, size))?
    }
    /// `hipblasLtMatmulDescGetAttribute`
    fn hipblasLtMatmulDescGetAttribute(description: Ptr, which: i32, to: Ptr, size: usize, written: *mut usize) {
        with(&DESCRIPTIONS, description, |it| it.get(which, to, size, written))?
    }
    /// `hipblasLtMatmulPreferenceCreate`
    fn hipblasLtMatmulPreferenceCreate(to: *mut Ptr) { put(to, PREFERENCES.insert(Arc::default())) }
    /// `hipblasLtMatmulPreferenceDestroy`
    fn hipblasLtMatmulPreferenceDestroy(preference: Ptr) {
        PREFERENCES.remove(preference).map(drop).map_err(|_| Status::INVALID_VALUE)
    }
    /// `hipblasLtMatmulPreferenceSetAttribute`: the search mode and the room for work, which nothing here needs.
    fn hipblasLtMatmulPreferenceSetAttribute(preference: Ptr, which: i32, from: Ptr, size: usize) {
        with(&PREFERENCES, preference, |it| match which {
            0 => attribute::<u32>(from, size).map(drop),
            1 => attribute(from, size).map(|bytes| *it = bytes),
            _ => Err(Status::INVALID_VALUE),
        })?
    }
    /// `hipblasLtMatmulPreferenceGetAttribute`
    fn hipblasLtMatmulPreferenceGetAttribute(preference: Ptr, which: i32, to: Ptr, size: usize, written: *mut usize) {
        with(&PREFERENCES, preference, |it| match which {
            1 => give(to, size, written, *it),
            _ => Err(Status::INVALID_VALUE),
        })?
    }
    /// `hipblasLtMatmulAlgoGetHeuristic`: one algorithm, for what can be computed; else none.
    fn hipblasLtMatmulAlgoGetHeuristic(
        handle: Ptr, description: Ptr, a: Ptr, b: Ptr, c: Ptr, d: Ptr, preference: Ptr, wanted: i32, results: *mut Heuristic,
        found: *mut i32,
    ) {
        CONTEXTS.get(handle).map_err(|_| Status::NOT_INITIALIZED)?;
        with(&PREFERENCES, preference, |_| ())?;
        put(found, 0)?;
        if wanted < 1 {
            return Err(Status::INVALID_VALUE);
        }
        // Pointers of bias and AUX may be set later.
        let mut known = with(&DESCRIPTIONS, description, |it| *it)?;
        (known.bias, known.aux) = (1, 1);
        known.aux_leading = i64::MAX;
        let mut layouts = Vec::with_capacity(4);
        for layout in [a, b, c, d] {
            layouts.push(with(&LAYOUTS, layout, |it| *it)?);
        }
        Product::new(known, [layouts[0], layouts[1], layouts[2], layouts[3]], [0; 4])?;
        let result = Heuristic { algorithm: [0; 16], algorithm_workspace: 0, workspace: 0, state: 0, waves: 1.0, reserved: [0; 4] };
        put(results, result)?;
        put(found, 1)
    }
    /// `hipblasLtMatmul`
    fn hipblasLtMatmul(
        handle: Ptr, description: Ptr, alpha: Ptr, a: usize, aDesc: Ptr, b: usize, bDesc: Ptr, beta: Ptr, c: usize, cDesc: Ptr,
        d: usize, dDesc: Ptr, _algorithm: Ptr, _space: Ptr, _bytes: usize, stream: Ptr,
    ) {
        CONTEXTS.get(handle).map_err(|_| Status::NOT_INITIALIZED)?;
        if alpha.is_null() || beta.is_null() || [a, b, c, d].contains(&0) {
            return Err(Status::INVALID_VALUE);
        }
        let product = product(description, [aDesc, bDesc, cDesc, dDesc], [a, b, c, d])?;
        let scale = product.description.scale;
        let places = [alpha as usize, beta as usize];
        let on_host = product.description.pointer_mode == 0;
        let known = on_host.then(|| places.map(|place| scale.load(place)));
        let run = move || {
            let [alpha, beta] = known.unwrap_or_else(|| places.map(|place| scale.load(place)));
            product.run(alpha, beta);
        };
        stream::give(stream, Work::Call(Arc::new(run)), false).map_err(|_| Status::EXECUTION_FAILED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made<T>(make: impl FnOnce(*mut Ptr) -> i32, _of: T) -> Ptr {
        let mut handle = std::ptr::null_mut();
        assert_eq!(make(&raw mut handle), 0);
        handle
    }

    fn layout(element: i32, rows: u64, columns: u64) -> Ptr {
        made(
            |to| hipblasLtMatrixLayoutCreate(to, element, rows, columns, rows as i64),
            (),
        )
    }

    fn described(compute: i32, scale: i32, attributes: &[(i32, u64, usize)]) -> Ptr {
        let description = made(|to| hipblasLtMatmulDescCreate(to, compute, scale), ());
        for (which, value, size) in attributes {
            let from = std::ptr::from_ref(value).cast_mut().cast();
            assert_eq!(
                hipblasLtMatmulDescSetAttribute(description, *which, from, *size),
                0
            );
        }
        description
    }

    /// D of a product of 2 by 3 and 3 by 2 matrices of float with these attributes; the status where it is refused.
    fn run(description: Ptr, of: [Ptr; 4]) -> Result<[f32; 4], i32> {
        let handle = made(|to| hipblasLtCreate(to), ());
        let (a, b) = (
            [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0],
            [1.0f32, 0.0, -1.0, 2.0, -4.0, 1.0],
        );
        let (c, mut d) = ([10.0f32; 4], [0.0f32; 4]);
        let (alpha, beta) = (2.0f32, 0.5f32);
        let at = |x: &f32| std::ptr::from_ref(x).cast_mut().cast();
        let status = hipblasLtMatmul(
            handle,
            description,
            at(&alpha),
            a.as_ptr() as usize,
            of[0],
            b.as_ptr() as usize,
            of[1],
            at(&beta),
            c.as_ptr() as usize,
            of[2],
            d.as_mut_ptr() as usize,
            of[3],
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            0,
            std::ptr::null_mut(),
        );
        crate::host::stream::find(std::ptr::null_mut())
            .expect("the default stream")
            .synchronize();
        assert_eq!(hipblasLtDestroy(handle), 0);
        match status {
            0 => Ok(d),
            refused => Err(refused),
        }
    }

    fn floats() -> [Ptr; 4] {
        [
            layout(0, 2, 3),
            layout(0, 3, 2),
            layout(0, 2, 2),
            layout(0, 2, 2),
        ]
    }

    #[test]
    fn products_with_what_follows_them_are_computed() {
        // Columns: 1 - 5, 2 - 6; 2 * 1 - 4 * 3 + 5, 2 * 2 - 4 * 4 + 6.
        let plain = [
            2.0 * -4.0 + 5.0,
            2.0 * -4.0 + 5.0,
            2.0 * -5.0 + 5.0,
            2.0 * -6.0 + 5.0f32,
        ];
        assert_eq!(run(described(2, 0, &[]), floats()), Ok(plain));
        let bias = [1.0f32, 10.0];
        let with_bias = [
            plain[0] + 1.0,
            plain[1] + 10.0,
            plain[2] + 1.0,
            plain[3] + 10.0,
        ];
        let place = bias.as_ptr() as u64;
        assert_eq!(
            run(described(2, 0, &[(2, 4, 4), (3, place, 8)]), floats()),
            Ok(with_bias)
        );
        assert_eq!(
            run(described(2, 0, &[(2, 6, 4), (3, place, 8)]), floats()),
            Ok(with_bias.map(|x| x.max(0.0)))
        );
        let mut aux = [0.0f32; 4];
        let attributes = [(2, 130, 4), (10, aux.as_mut_ptr() as u64, 8), (11, 2, 8)];
        assert_eq!(run(described(2, 0, &attributes), floats()), Ok([0.0; 4]));
        assert_eq!(aux, plain);
    }

    #[test]
    fn what_is_refused_there_is_refused_here() {
        let row = 1i32;
        let of = floats();
        let from = std::ptr::from_ref(&row).cast_mut().cast();
        assert_eq!(hipblasLtMatrixLayoutSetAttribute(of[3], 3, from, 4), 0);
        let refused = |status: Status| Err(status.0);
        assert_eq!(
            run(described(2, 0, &[]), of),
            refused(Status::NOT_SUPPORTED)
        );
        let wrong = [
            layout(0, 2, 3),
            layout(0, 2, 2),
            layout(0, 2, 2),
            layout(0, 2, 2),
        ];
        assert_eq!(
            run(described(2, 0, &[]), wrong),
            refused(Status::INVALID_VALUE)
        );
        // Computing in half, gradients of GELU, a scale that nobody computes with, a bias that is nowhere.
        assert_eq!(
            run(described(0, 2, &[]), floats()),
            refused(Status::NOT_SUPPORTED)
        );
        assert_eq!(
            run(described(2, 0, &[(2, 192, 4)]), floats()),
            refused(Status::NOT_SUPPORTED)
        );
        assert_eq!(
            run(described(2, 0, &[(5, 8, 8)]), floats()),
            refused(Status::NOT_SUPPORTED)
        );
        assert_eq!(
            run(described(2, 0, &[(2, 4, 4)]), floats()),
            refused(Status::INVALID_VALUE)
        );
    }
}
