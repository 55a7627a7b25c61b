//! Accesses of lanes to LDS, each looked at for races.

use crate::device::memory::shadow::{Access, Touch};
use crate::device::model::findings::FindingKind;
use crate::device::wave::Wave;
use crate::device::wave::inst::Inst;

/// Notes an access of a lane to LDS and reports what it clashes with. Does nothing where checks are off.
pub(crate) fn check(
    wave: &mut Wave<'_>,
    inst: &Inst,
    lane: usize,
    offset: u32,
    bytes: u32,
    access: Access,
) {
    let me = Touch {
        at: wave.at,
        wave: wave.id as u16,
        lane: lane as u16,
        epoch: wave.barriers + 1,
    };
    let Some(shadow) = &mut wave.lds.shadow else {
        return;
    };
    let clash = (offset..offset + bytes)
        .filter_map(|k| shadow.touch(k as usize, access, me))
        .next_back();
    let Some(clash) = clash else { return };
    let message = match clash.kind {
        FindingKind::LdsUninitialised => {
            format!("LDS at offset {offset} is read, which nothing wrote")
        }
        _ => format!(
            "LDS at offset {offset} is touched by two waves without a barrier between, one of them writing"
        ),
    };
    wave.running
        .find(wave, inst, lane, clash.kind, message, clash.other);
}
