//! Descriptors of batches of sequences (seq_tensor.cpp, rnn.cpp), and the room that networks need for them.

use std::sync::{Arc, Mutex, PoisonError};

use super::network::Network;
use crate::device::float::f16_value;
use crate::dnn::tensor::{Flat, size_of_kind};
use crate::dnn::{Outcome, Status, find, functions, put};
use crate::host::handles::Handles;
use crate::host::raw::{self, Ptr};

/// How sequences lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Step after step, without room for sequences that have ended.
    Packed = 1,
    /// Step after step, each with room for all sequences.
    StepMajor = 2,
    /// Sequence after sequence, each with room for the longest.
    SequenceMajor = 3,
}

impl Layout {
    /// "Unknown miopenRNNBaseLayout_t" (rnn.cpp).
    fn of(number: i32) -> Outcome<Layout> {
        match number {
            1 => Ok(Layout::Packed),
            2 => Ok(Layout::StepMajor),
            3 => Ok(Layout::SequenceMajor),
            _ => Err(Status::BAD_PARM),
        }
    }
}

/// What a descriptor says.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    pub(super) kind: i32,
    pub(super) layout: Layout,
    /// Steps that there is room for.
    pub(super) longest: usize,
    /// The width of a row.
    pub(super) width: usize,
    /// Steps of each sequence.
    pub(super) lengths: Vec<usize>,
    /// An element that is written where no sequence is.
    fill: Option<Vec<u8>>,
}

static SEQUENCES: Handles<Mutex<Option<Sequences>>> = Handles::new();

impl Sequences {
    pub(super) fn of(descriptor: Ptr) -> Outcome<Sequences> {
        let found = find(&SEQUENCES, descriptor)?;
        let known = found.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.ok_or(Status::BAD_PARM)
    }

    /// Rows that there is room for.
    fn rows(&self) -> usize {
        self.lengths.len() * self.longest
    }

    /// Writes the element for what is no sequence everywhere (`FillSeqTensorByPaddingMarker`, rnn_util.cpp).
    pub(super) fn clear(&self, to: Flat) {
        let Some(fill) = self.fill.as_ref().filter(|_| self.layout != Layout::Packed) else {
            return;
        };
        let value = match fill.as_slice() {
            [a, b] => f64::from(f16_value(u16::from_le_bytes([*a, *b]).into())),
            [a, b, c, d] => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            _ => 0.0,
        };
        (0..self.rows() * self.width).for_each(|at| to.set(at, value));
    }
}

/// The room that a network needs for a batch: for work, and to keep.
pub(super) struct Room {
    pub(super) workspace: usize,
    pub(super) reserve: usize,
}

/// `GetMaxWorkspaceSize`, `GetMaxReserveSize`: as if every sequence were the longest; layouts with padding are made packed in the workspace
/// (`RNNLayoutTransformTotalTmpSpace`, rnn_transformer.cpp).
pub(super) fn room(network: &Network, x: &Sequences, is_training: bool) -> Outcome<Room> {
    if x.kind != network.kind {
        return Err(Status::BAD_PARM);
    }
    let (rows, batch) = (x.rows(), x.lengths.len());
    let (read, written) = (rows * x.width, rows * network.hidden * network.directions);
    let copies = if is_training { 3 } else { 2 };
    let state = copies * batch * network.hidden * network.layers * network.directions;
    let states = if network.is_lstm() { 2 * state } else { state };
    let packing = match x.layout {
        Layout::Packed => 0,
        _ => states.max(2 * read.max(written)) + read + written,
    };
    Ok(Room {
        workspace: network.workspace(rows) + packing * network.size(),
        reserve: network.reserve(rows)?,
    })
}

functions! {
    /// `miopenCreateSeqTensorDescriptor`
    fn miopenCreateSeqTensorDescriptor(to: *mut Ptr) { put(to, SEQUENCES.insert(Arc::default())) }
    /// `miopenDestroySeqTensorDescriptor`
    fn miopenDestroySeqTensorDescriptor(descriptor: Ptr) {
        SEQUENCES.remove(descriptor).map(drop).map_err(|_| Status::BAD_PARM)
    }
    /// `miopenSetRNNDataSeqTensorDescriptor`: "Lengths must be > 0" of the three directions; a sequence may be empty.
    fn miopenSetRNNDataSeqTensorDescriptor(
        descriptor: Ptr, kind: i32, layout: i32, longest: i32, batch: i32, width: i32, lengths: *const i32, fill: Ptr,
    ) {
        let found = find(&SEQUENCES, descriptor)?;
        let size = |count: i32| usize::try_from(count).ok().filter(|count| *count > 0).ok_or(Status::BAD_PARM);
        let element = size_of_kind(kind)?;
        let fill = match fill.is_null() {
            true => None,
            false => Some(raw::list(fill.cast::<u8>(), element).map_err(|_| Status::BAD_PARM)?),
        };
        let described = Sequences {
            kind,
            layout: Layout::of(layout)?,
            longest: size(longest)?,
            width: size(width)?,
            lengths: crate::dnn::list(lengths, batch)?,
            fill,
        };
        size(batch)?;
        if described.lengths.iter().any(|length| *length > described.longest) {
            return Err(Status::BAD_PARM);
        }
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(described);
        Ok(())
    }
    /// `miopenGetRNNDataSeqTensorDescriptor`
    fn miopenGetRNNDataSeqTensorDescriptor(
        descriptor: Ptr, kind: *mut i32, layout: *mut i32, longest: *mut i32, batch: *mut i32, width: *mut i32, limit: i32,
        lengths: *mut i32, fill: Ptr,
    ) {
        let found = Sequences::of(descriptor)?;
        raw::put_if(kind, found.kind);
        raw::put_if(layout, found.layout as i32);
        raw::put_if(longest, found.longest as i32);
        raw::put_if(batch, found.lengths.len() as i32);
        raw::put_if(width, found.width as i32);
        let shown = usize::try_from(limit).map_err(|_| Status::BAD_PARM)?;
        if !lengths.is_null() {
            let wanted = found.lengths.iter().take(shown).enumerate();
            wanted.for_each(|(at, length)| raw::put_if(lengths.wrapping_add(at), *length as i32));
        }
        let marker = found.fill.iter().flatten().enumerate();
        if !fill.is_null() {
            marker.for_each(|(at, byte)| raw::put_if(fill.cast::<u8>().wrapping_add(at), *byte));
        }
        Ok(())
    }
    /// `miopenGetRNNTempSpaceSizes`
    fn miopenGetRNNTempSpaceSizes(
        _handle: Ptr, descriptor: Ptr, x: Ptr, mode: i32, workspace: *mut usize, reserve: *mut usize,
    ) {
        let needed = room(&Network::of(descriptor)?, &Sequences::of(x)?, mode == 0)?;
        raw::put_if(workspace, needed.workspace);
        if mode == 0 {
            raw::put_if(reserve, needed.reserve);
        }
        Ok(())
    }
}
