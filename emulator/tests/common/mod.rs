//! Compiles kernels with clang and runs them on emulated chips.

#![allow(dead_code, unreachable_pub)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use hip_emulator::device::{
    Chip, CodeObject, Device, Fault, Host, Kind, Launch, Memory, Options, Report,
};

/// What HIP's headers would declare, for kernels that are compiled without them.
const PRELUDE: &str = r#"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef unsigned int u32; typedef unsigned long u64; typedef int i32; typedef long i64; typedef _Float16 f16;
#define tid ((u32)__builtin_amdgcn_workitem_id_x())
#define bid ((u32)__builtin_amdgcn_workgroup_id_x())
static __device__ inline void sync() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
"#;

/// Chips on which the tests run: both widths, all families.
pub const CHIPS: [&str; 4] = ["gfx90a", "gfx942", "gfx1030", "gfx1100"];

/// A clang that compiles for AMD. Tests that need one are ignored unless somebody asks for them.
pub fn clang() -> PathBuf {
    let chosen = std::env::var_os("HIP_EMULATOR_CLANG").map(PathBuf::from);
    let names = [
        "clang-21", "clang-20", "clang-19", "clang-18", "clang-17", "clang",
    ]
    .map(PathBuf::from);
    let works = |path: &PathBuf| {
        Command::new(path)
            .arg("--print-targets")
            .output()
            .is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("amdgcn"))
    };
    let found = chosen.into_iter().chain(names).find(works);
    found.expect("install clang-19, or name a clang for AMD in HIP_EMULATOR_CLANG")
}

fn compiled(clang: &PathBuf, file: &str, source: &str, flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder for the kernel");
    let (input, output) = (folder.path().join(file), folder.path().join("kernel.co"));
    std::fs::write(&input, source).expect("the kernel is written");
    let run = Command::new(clang)
        .args(flags)
        .arg(&input)
        .arg("-o")
        .arg(&output)
        .output()
        .expect("clang runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    std::fs::read(&output).expect("clang wrote a code object")
}

/// A code object of HIP source.
pub fn compile(clang: &PathBuf, chip: &str, source: &str, flags: &[&str]) -> Vec<u8> {
    let arch = format!("--offload-arch={chip}");
    let mut all = vec![
        "-x",
        "hip",
        &arch,
        "--cuda-device-only",
        "--no-gpu-bundle-output",
        "-nogpulib",
        "-nogpuinc",
        "-O2",
        "-gline-tables-only",
    ];
    all.extend(flags);
    compiled(
        clang,
        "kernel.hip",
        &format!("{PRELUDE}#line 1\n{source}"),
        &all,
    )
}

/// A code object of assembly: `body` with a kernel `k` whose only argument is a pointer in s[0:1] and its thread index in v0.
pub fn assemble(clang: &PathBuf, chip: &str, body: &str, wave64: bool) -> Vec<u8> {
    let cdna = chip.starts_with("gfx9");
    let accumulators = if cdna { ".amdhsa_accum_offset 128" } else { "" };
    let size = if cdna {
        String::new()
    } else {
        format!(".amdhsa_wavefront_size32 {}", u32::from(!wave64))
    };
    let lanes = if cdna || wave64 { 64 } else { 32 };
    let source = format!(
        ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n{body}\ns_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n\
         .amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_group_segment_fixed_size 4096\n.amdhsa_next_free_vgpr 128\n\
         .amdhsa_next_free_sgpr 96\n{accumulators}\n{size}\n.end_amdhsa_kernel\n\
         .amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n\
         \x20   .kernarg_segment_size: 8\n    .group_segment_fixed_size: 4096\n    .private_segment_fixed_size: 0\n\
         \x20   .kernarg_segment_align: 8\n    .wavefront_size: {lanes}\n    .sgpr_count: 96\n    .vgpr_count: 128\n    .max_flat_workgroup_size: 1024\n\
         \x20   .args:\n      - .offset: 0\n        .size: 8\n        .value_kind: global_buffer\n...\n.end_amdgpu_metadata\n"
    )
    .replace(".rodata\n", ".section .rodata,\"a\",@progbits\n");
    let cpu = format!("-mcpu={chip}");
    let mut flags = vec!["-target", "amdgcn-amd-amdhsa", &cpu];
    if !cdna && wave64 {
        flags.push("-mwavefrontsize64");
    }
    compiled(clang, "kernel.s", &source, &flags)
}

/// A host that keeps what kernels ask of it.
#[derive(Default)]
pub struct Recorder(pub Mutex<Vec<(u32, [u64; 8])>>);

impl Host for Recorder {
    fn hostcall(&self, service: u32, payload: &mut [u64; 8]) -> Result<(), String> {
        self.0
            .lock()
            .expect("no panic before")
            .push((service, *payload));
        *payload = [0; 8];
        Ok(())
    }
}

/// A chip with memory.
pub struct Card {
    pub device: Device,
    pub memory: Arc<Memory>,
    pub host: Arc<Recorder>,
}

impl Card {
    pub fn new(chip: &str, options: Options) -> Card {
        let (memory, host) = (Arc::new(Memory::new()), Arc::new(Recorder::default()));
        let chip = Chip::named(chip).expect("a chip of the emulator");
        let device = Device::new(chip, Arc::clone(&memory), host.clone(), options)
            .expect("libLLVM is there where clang is");
        Card {
            device,
            memory,
            host,
        }
    }

    /// A buffer that kernels may touch.
    pub fn buffer<T: Clone>(&self, data: &[T]) -> Buffer<T> {
        let mut data = data.to_vec();
        self.memory.add(
            data.as_mut_ptr() as u64,
            size_of_val(&data[..]) as u64,
            Kind::Device,
        );
        Buffer {
            data,
            memory: Arc::clone(&self.memory),
        }
    }

    pub fn load(&self, image: &[u8]) -> CodeObject {
        self.device.load(image).expect("the code object loads")
    }

    /// Runs kernel `k` with arguments of 8 bytes each.
    pub fn run(
        &self,
        object: &CodeObject,
        grid: u32,
        block: u32,
        arguments: &[u64],
    ) -> Result<Report, Fault> {
        let bytes: Vec<u8> = arguments.iter().flat_map(|a| a.to_le_bytes()).collect();
        let launch = Launch {
            kernel: "k",
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            dynamic_lds: 0,
            arguments: &bytes,
            cooperative: false,
        };
        self.device.run(object, &launch)
    }
}

/// Memory of a kernel.
pub struct Buffer<T> {
    data: Vec<T>,
    memory: Arc<Memory>,
}

impl<T: Copy> Buffer<T> {
    pub fn address(&self) -> u64 {
        self.data.as_ptr() as u64
    }

    /// What is there now: kernels write behind the compiler's back.
    pub fn read(&self) -> Vec<T> {
        // SAFETY: the elements are initialised, and no kernel runs.
        self.data
            .iter()
            .map(|x| unsafe { std::ptr::read_volatile(x) })
            .collect()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        self.memory.remove(self.data.as_ptr() as u64);
    }
}
