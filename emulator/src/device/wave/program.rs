//! The instructions of a code object, each decoded when it is first reached.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::device::model::chip::Family;
use crate::device::model::llvm::Disassembler;
use crate::device::model::load_error::LoadError;
use crate::device::wave::inst::Inst;

/// What decoding depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Rules of the chip.
    pub(crate) family: Family,
    /// Lanes of a wave.
    pub(crate) wavefront: u32,
    /// Row of the register file where accumulation registers begin.
    pub(crate) accumulators: u16,
}

/// Makes an instruction of LLVM's text and the encoding, which begins at a word of the program.
pub(crate) type Decode = fn(&str, &[u8], u32, Context) -> Inst;

/// The longest encoding in bytes.
const LONGEST: usize = 20;

/// The code of one code object for one size of waves.
pub(crate) struct Program {
    text: Vec<u8>,
    /// Address of the first instruction.
    start: u64,
    insts: Box<[OnceLock<Box<Inst>>]>,
    disassembler: Mutex<Disassembler>,
    context: Context,
    decode: Decode,
}

impl Program {
    /// The program of some text at an address.
    pub(crate) fn new(
        chip: &str,
        text: Vec<u8>,
        start: u64,
        context: Context,
        decode: Decode,
    ) -> Result<Program, LoadError> {
        let disassembler = Mutex::new(Disassembler::new(chip, context.wavefront)?);
        let insts = (0..text.len() / 4).map(|_| OnceLock::new()).collect();
        Ok(Program {
            text,
            start,
            insts,
            disassembler,
            context,
            decode,
        })
    }

    /// The instruction at a word; nothing past the end.
    #[inline(always)]
    pub(crate) fn at(&self, word: u32) -> Option<&Inst> {
        let slot = self.insts.get(word as usize)?;
        match slot.get() {
            Some(inst) => Some(inst),
            None => Some(self.decode(word)),
        }
    }

    #[cold]
    fn decode(&self, word: u32) -> &Inst {
        let slot = &self.insts[word as usize];
        slot.get_or_init(|| {
            let at = word as usize * 4;
            let bytes = &self.text[at..self.text.len().min(at + LONGEST)];
            let found = self
                .disassembler
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .one(bytes);
            let (len, line) = found.unwrap_or_else(|| {
                (
                    4,
                    format!("bytes {:02x?}, which LLVM does not know", &bytes[..4]),
                )
            });
            Box::new((self.decode)(&line, &bytes[..len], word, self.context))
        })
    }

    /// Address of a word.
    pub(crate) fn address(&self, word: u32) -> u64 {
        self.start + u64::from(word) * 4
    }

    /// The word at an address.
    pub(crate) fn word(&self, address: u64) -> Option<u32> {
        let offset = address.checked_sub(self.start)?;
        (offset % 4 == 0 && offset < self.text.len() as u64).then_some((offset / 4) as u32)
    }
}
