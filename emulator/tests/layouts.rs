//! Structures that programs hand to HIP's functions lie in memory as AMD's headers say. `CASS_ROCM` names the headers, as
//! `tests/rocm/setup.sh` of the project lays them out.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::clang;
use hip_emulator::host::array::{Descriptor, Descriptor3d};
use hip_emulator::host::copy_api::{Copy3d, DriverCopy2d, DriverCopy3d, Side, Side2d};
use hip_emulator::host::device::FunctionAttributes;
use hip_emulator::host::graph_api::{AllocateParams, FillParams, HostParams, KernelParams};
use hip_emulator::host::launch::LaunchParams;
use hip_emulator::host::memory_api::{Pitched, PointerAttributes};
use hip_emulator::host::properties_layout::Properties;
use hip_emulator::host::texture::{DriverTexture, Resource, TextureDescription};

/// The type of HIP, its fields in the order of ours, our offsets, and our size where the whole of it is ours.
struct Layout {
    hip: &'static str,
    fields: Vec<String>,
    ours: &'static [usize],
    size: Option<usize>,
}

fn layout<T>(hip: &'static str, fields: &str, ours: &'static [usize]) -> Layout {
    Layout {
        hip,
        fields: fields.split_whitespace().map(str::to_owned).collect(),
        ours,
        size: Some(size_of::<T>()),
    }
}

/// A part of a structure that holds one of its sides.
fn part(hip: &'static str, fields: &str, ours: &'static [usize]) -> Layout {
    Layout {
        size: None,
        ..layout::<()>(hip, fields, ours)
    }
}

fn layouts(properties: String) -> Vec<Layout> {
    vec![
        layout::<Properties>("hipDeviceProp_t", &properties, Properties::OFFSETS),
        layout::<Copy3d>(
            "hipMemcpy3DParms",
            "srcArray srcPos srcPtr dstArray dstPos dstPtr extent kind",
            Copy3d::OFFSETS,
        ),
        layout::<DriverCopy3d>(
            "HIP_MEMCPY3D",
            "srcXInBytes dstXInBytes WidthInBytes",
            DriverCopy3d::OFFSETS,
        ),
        part(
            "HIP_MEMCPY3D",
            "srcXInBytes srcY srcZ srcLOD srcMemoryType srcHost srcDevice srcArray srcPitch srcHeight",
            Side::OFFSETS,
        ),
        layout::<DriverCopy2d>(
            "hip_Memcpy2D",
            "srcXInBytes dstXInBytes WidthInBytes Height",
            DriverCopy2d::OFFSETS,
        ),
        part(
            "hip_Memcpy2D",
            "srcXInBytes srcY srcMemoryType srcHost srcDevice srcArray srcPitch",
            Side2d::OFFSETS,
        ),
        layout::<KernelParams>(
            "hipKernelNodeParams",
            "blockDim extra func gridDim kernelParams sharedMemBytes",
            KernelParams::OFFSETS,
        ),
        layout::<FillParams>(
            "hipMemsetParams",
            "dst elementSize height pitch value width",
            FillParams::OFFSETS,
        ),
        layout::<HostParams>("hipHostNodeParams", "fn userData", HostParams::OFFSETS),
        layout::<AllocateParams>(
            "hipMemAllocNodeParams",
            "poolProps accessDescs accessDescCount bytesize dptr",
            AllocateParams::OFFSETS,
        ),
        layout::<FunctionAttributes>(
            "hipFuncAttributes",
            "binaryVersion cacheModeCA constSizeBytes localSizeBytes maxDynamicSharedSizeBytes maxThreadsPerBlock numRegs \
             preferredShmemCarveout ptxVersion sharedSizeBytes",
            FunctionAttributes::OFFSETS,
        ),
        layout::<Pitched>("hipPitchedPtr", "ptr pitch xsize ysize", Pitched::OFFSETS),
        layout::<PointerAttributes>(
            "hipPointerAttribute_t",
            "type device devicePointer hostPointer isManaged allocationFlags",
            PointerAttributes::OFFSETS,
        ),
        layout::<Descriptor3d>(
            "HIP_ARRAY3D_DESCRIPTOR",
            "Width Height Depth Format NumChannels Flags",
            Descriptor3d::OFFSETS,
        ),
        layout::<Descriptor>(
            "HIP_ARRAY_DESCRIPTOR",
            "Width Height Format NumChannels",
            Descriptor::OFFSETS,
        ),
        layout::<TextureDescription>(
            "hipTextureDesc",
            "addressMode filterMode readMode sRGB borderColor normalizedCoords maxAnisotropy mipmapFilterMode mipmapLevelBias minMipmapLevelClamp maxMipmapLevelClamp",
            TextureDescription::OFFSETS,
        ),
        layout::<DriverTexture>(
            "HIP_TEXTURE_DESC",
            "addressMode filterMode flags maxAnisotropy mipmapFilterMode mipmapLevelBias minMipmapLevelClamp maxMipmapLevelClamp borderColor reserved",
            DriverTexture::OFFSETS,
        ),
        layout::<Resource>(
            "hipResourceDesc",
            "resType res.pitch2D.devPtr res.pitch2D.desc",
            Resource::OFFSETS,
        ),
        part(
            "HIP_RESOURCE_DESC",
            "resType res.pitch2D.devPtr res.pitch2D.format",
            Resource::OFFSETS,
        ),
        layout::<LaunchParams>(
            "hipLaunchParams",
            "func gridDim blockDim args sharedMem stream",
            LaunchParams::OFFSETS,
        ),
    ]
}

/// The names of the fields of `hipDeviceProp_t` in the header: the last word of each declaration.
fn properties(header: &str) -> String {
    let start = header
        .find("typedef struct hipDeviceProp_t {")
        .expect("it is declared");
    let body = &header[start..];
    let body = &body[body.find('{').expect("a body") + 1..body.find("\n}").expect("its end")];
    let code: String = body
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect::<Vec<_>>()
        .join(" ");
    let name = |declaration: &str| {
        let plain = declaration.split('[').next()?.trim();
        Some(plain.split_whitespace().last()?.to_owned())
    };
    let names: Vec<String> = code.split(';').filter_map(name).collect();
    names.join(" ")
}

#[test]
#[ignore = "needs AMD's headers and clang: tests/rocm/setup.sh DIR, CASS_ROCM=DIR"]
fn structures_lie_as_the_headers_say() {
    let rocm =
        std::env::var_os("CASS_ROCM").expect("run tests/rocm/setup.sh DIR and set CASS_ROCM=DIR");
    let clang = clang();
    let include = PathBuf::from(rocm).join("usr/include");
    let header = std::fs::read_to_string(include.join("hip/hip_runtime_api.h")).expect("readable");
    let mut source =
        "#define __HIP_PLATFORM_AMD__\n#include <cstddef>\n#include <hip/hip_runtime_api.h>\n"
            .to_owned();
    for layout in layouts(properties(&header)) {
        assert_eq!(layout.fields.len(), layout.ours.len(), "{}", layout.hip);
        for (field, offset) in layout.fields.iter().zip(layout.ours) {
            let of = format!("offsetof({}, {field})", layout.hip);
            source += &format!("static_assert({of} == {offset}, \"{of}\");\n");
        }
        if let Some(size) = layout.size {
            let of = format!("sizeof({})", layout.hip);
            source += &format!("static_assert({of} == {size}, \"{of}\");\n");
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("layouts.cpp");
    std::fs::write(&path, source).expect("writable");
    let done = Command::new(clang)
        .args(["-x", "c++", "-std=c++17", "-fsyntax-only", "-w", "-isystem"])
        .args([&include, &path])
        .output()
        .expect("clang runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
}
