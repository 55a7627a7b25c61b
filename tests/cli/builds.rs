//! Build files: those for both vendors, and those that are not rewritten.

use crate::common::Tree;

/// A file of each kind, as people write them.
const OTHERS: &[(&str, &str)] = &[
    (
        "meson.build",
        "project('x', 'cpp', 'cuda')\ncuda = import('unstable-cuda')\ndep = dependency('cuda', modules: ['cublas'])\nexecutable('x', 'lib.cu', dependencies: dep)\n",
    ),
    (
        "bazel/BUILD.bazel",
        "load(\"@rules_cuda//cuda:defs.bzl\", \"cuda_library\")\ncuda_library(name = \"lib\", srcs = [\"lib.cu\"])\n",
    ),
    (
        "configure.ac",
        "AC_PATH_PROG([NVCC],[nvcc],[no],[$CUDA_HOME/bin])\nLIBS=\"-L$CUDA_HOME/lib64 -lcudart\"\n",
    ),
    (
        "x.vcxproj",
        "<Project><ItemGroup><CudaCompile Include=\"main.cu\" /></ItemGroup></Project>\n",
    ),
    (
        "docker/Dockerfile",
        "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nENV CUDA_HOME=/usr/local/cuda\nRUN nvcc main.cu -o x\n",
    ),
    (
        "docker-compose.yml",
        "services:\n  x:\n    build: .\n    runtime: nvidia\n    environment: [NVIDIA_VISIBLE_DEVICES=all] # cuda\n",
    ),
    (
        ".github/workflows/ci.yml",
        "jobs:\n  build:\n    container: nvidia/cuda:12.4.1-devel-ubuntu22.04\n    steps:\n      - run: nvcc --version && nvidia-smi\n",
    ),
    (
        "recipe/meta.yaml",
        "requirements:\n  build:\n    - {{ compiler(\"cuda\") }}\n  host:\n    - libcublas-dev\n",
    ),
    (
        "environment.yml",
        "dependencies:\n  - cuda-nvcc=12.4\n  - cudatoolkit\n",
    ),
    (
        "requirements.txt",
        "nvidia-cublas-cu12\nnvidia-cudnn-cu12\n",
    ),
    ("requirements-gpu.txt", "nvidia-cublas-cu12==12.1\n"),
    (
        "pyproject.toml",
        "[project]\nname = \"x\"\ndependencies = [\"nvidia-cudnn-cu12\", \"nvidia-cublas-cu12\"]\n",
    ),
    (
        "pixi.toml",
        "[project]\nchannels = [\"conda-forge\"]\n\n[dependencies]\npytorch-cuda = \"11.8.*\"\n",
    ),
    (
        "CMakePresets.json",
        "{\"configurePresets\": [{\"name\": \"gpu\", \"cacheVariables\": {\"CMAKE_CUDA_ARCHITECTURES\": \"80\"}}]}\n",
    ),
    (
        "build.bat",
        "\"%CUDA_PATH%\\bin\\nvcc.exe\" main.cu -o x.exe\n",
    ),
    ("build.ps1", "& \"$env:CUDA_PATH\\bin\\nvcc.exe\" main.cu\n"),
    (
        "xmake.lua",
        "target(\"x\")\n    add_files(\"*.cu\")\n    add_cugencodes(\"native\")\n",
    ),
    (
        "SConstruct",
        "env = Environment(CXX='nvcc')\nenv.Append(LIBS=['cudart'])\n",
    ),
    (
        "wscript",
        "def build(bld):\n    bld(source='app.cu', features='cxx cuda', lib='cudart')\n",
    ),
    (
        "app.pro",
        "CUDA_SOURCES += app.cu\nLIBS += -L/usr/local/cuda/lib64 -lcudart\n",
    ),
    (
        "build.ninja",
        "rule device\n  command = nvcc -c $in -o $out\nbuild app.o: device app.cu\n",
    ),
    (
        "nix/default.nix",
        "{ pkgs }: pkgs.mkShell { buildInputs = [ pkgs.cudaPackages.cuda_cudart ]; }\n",
    ),
    (
        "spack/packages/x/package.py",
        "from spack.package import *\n\n\nclass X(CMakePackage, CudaPackage):\n    \"\"\"Has CUDA.\"\"\"\n\n    depends_on(\"cuda@12:\", when=\"+cuda\")\n",
    ),
    (
        "images/app.def",
        "Bootstrap: docker\nFrom: nvidia/cuda:12.4.1-devel-ubuntu22.04\n%environment\n    export CUDA_HOME=/usr/local/cuda\n",
    ),
    (
        ".devcontainer/devcontainer.json",
        "{\n  \"image\": \"nvidia/cuda:12.4.1-devel-ubuntu22.04\",\n  \"runArgs\": [\"--gpus\", \"all\"]\n}\n",
    ),
];

#[test]
fn files_that_are_not_rewritten_have_one_finding_each() {
    let tree = Tree::new(OTHERS);
    let done = tree.run(&["check", "."]);
    for (name, _) in OTHERS {
        let lines: Vec<&str> = done
            .out
            .lines()
            .filter(|line| line.starts_with(&format!("{name}:")))
            .collect();
        // The image that both start from has one counterpart; what is done in it has not.
        let (images, rest): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.contains("CASS635"));
        let from_image = ["Dockerfile", "ci.yml", "app.def", "devcontainer.json"];
        let starts = from_image.iter().any(|end| name.ends_with(end));
        assert_eq!(images.len(), usize::from(starts), "{name}: {}", done.out);
        assert_eq!(rest.len(), 1, "{name}: {}", done.out);
        assert!(rest[0].contains("CASS633"), "{lines:?}");
    }
}

#[test]
fn an_image_with_one_counterpart_is_all_that_changes() {
    let image = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN make\n";
    let tree = Tree::new(&[("Dockerfile", image)]);
    let found = tree.run(&["diff", ".", "--rocm", "7.0"]).out;
    assert!(
        found.contains("+FROM rocm/dev-ubuntu-22.04:7.0-complete\n RUN make"),
        "{found}"
    );
    let both = tree.run(&["diff", ".", "--build", "dual"]);
    assert!(!both.out.contains("rocm/dev"), "{}", both.out);
}

#[test]
fn a_feature_of_pixi_is_chosen_by_its_name() {
    let feature = "[feature.gpu.dependencies]\npytorch-cuda = \"11.8.*\"\n";
    let tree = Tree::new(&[("pixi.toml", feature)]);
    let found = tree.run(&["check", ".", "--show", "info"]).out;
    assert!(found.contains("pixi.toml:2:1: info[CASS633]"), "{found}");
}

#[test]
fn conda_packages_of_a_project_that_pixi_builds_are_told() {
    let project = "[project]\nname = \"kit\"\n[project.optional-dependencies]\ncuda = [\"numpy\"]\n[tool.pixi.dependencies]\ncuda-nvcc = \"12.8.*\"\n";
    let tree = Tree::new(&[("pyproject.toml", project)]);
    let found = tree.run(&["check", "."]).out;
    assert!(
        found.contains("pyproject.toml:6:1: warning[CASS633]"),
        "{found}"
    );
}

#[test]
fn a_source_for_cuda_alone_that_a_script_clones_is_told() {
    let script =
        "git clone git@github.com:example/kit.git\ngit clone git@github.com:NVIDIA/apex.git\n";
    let tree = Tree::new(&[("setup.sh", script)]);
    let found = tree.run(&["check", "."]).out;
    assert!(found.contains("setup.sh:2:11: warning[CASS633]"), "{found}");
    assert!(
        found.contains("`git@github.com:NVIDIA/apex.git`"),
        "{found}"
    );
}

#[test]
fn an_image_of_nvidias_is_one_by_any_name_of_a_variable() {
    let list = "VERSION = 12.4.1\nBASE_DEVEL = nvidia/cuda:$(VERSION)-devel-ubuntu22.04\nOTHER = example/kit:1.0-cuda\n";
    let tree = Tree::new(&[("docker.Makefile", list)]);
    let found = tree.run(&["check", "."]).out;
    assert!(found.contains("docker.Makefile:2:14: warning["), "{found}");
    assert!(!found.contains("docker.Makefile:3"), "{found}");
}

#[test]
fn a_submodule_for_cuda_alone_is_told() {
    for (address, place) in [
        ("https://github.com/NVIDIA/apex.git", "3:14"),
        ("git@github.com:NVIDIA/apex.git", "3:12"),
    ] {
        let list = format!("[submodule \"apex\"]\n\tpath = apex\n\turl = {address}\n");
        let tree = Tree::new(&[(".gitmodules", &list)]);
        let found = tree.run(&["check", ".", "--show", "info"]).out;
        let expected = format!(".gitmodules:{place}: info[CASS633]");
        assert!(found.contains(&expected), "{found}");
    }
}

#[test]
fn addresses_and_names_of_the_project_are_not_cudas() {
    let tree = Tree::new(&[
        (
            "Dockerfile",
            "FROM ubuntu:22.04\nRUN git clone https://github.com/NVIDIA/cuda-samples # cuda\n",
        ),
        ("requirements.txt", "numpy\npytest-cudanaive\n"),
        (
            "pyproject.toml",
            "[project]\nmaintainers = [\n  { name = \"NVIDIA\", email = \"a@nvidia.com\" },\n]\n\n[tool.setuptools.package-data]\n\"kit\" = [\"src/cuda/*.cu\"]\n",
        ),
        (
            ".github/workflows/devices.yml",
            "jobs:\n  a:\n    strategy:\n      matrix:\n        device: [\"cpu\", \"cuda\"]\n",
        ),
        (
            "uv/pyproject.toml",
            "[project]\ndependencies = [\"nvidia-physicsnemo>=2.0\"]\n\n[tool.uv]\noverride-dependencies = [\n  \"numpy>=2\",\n  \"nvidia-cudnn-cu13>=9.15\",\n]\n",
        ),
        (
            ".github/workflows/labels.yml",
            "jobs:\n  a:\n    runs-on: [self-hosted, nvidia, a6000]\n    steps:\n      - run: python -c \"assert f(), 'the CUDA backend is off'\"\n",
        ),
        (
            "tuner/pyproject.toml",
            "[project.optional-dependencies]\ncuda = [\"flash-attn\"]\n[project]\nkeywords = [\n  \"gpu\",\n  \"nvidia\",\n]\ndependencies = [\"numpy\"]\n",
        ),
        (
            "conda/meta.yaml",
            "about:\n  summary: Features\n  description: |\n    Features of speech,\n    on the CPU or with CUDA, in batches\nrequirements:\n  run:\n    - python\n",
        ),
        (
            "marks/pyproject.toml",
            "[tool.pytest.ini_options]\nmarkers = [\n  \"device: runs on each of cpu, cuda\",\n]\n",
        ),
        (
            "tools/configure.ps1",
            "<#\nCopyright 2026 NVIDIA CORPORATION\n#>\n",
        ),
        ("macros.def", "OP(cudanaive)\n"),
        (
            "meson.build",
            "if not cuda_dep.found()\n    warning('CUDA not found, skipping')\nendif\n",
        ),
        (
            "meta/pyproject.toml.in",
            "[project]\ndescription = \"Tools for CUDA\"\n",
        ),
        ("site.pro", "SOURCES += cudanaive.cpp\n"),
        (
            "spack/x/package.py",
            "class X(CMakePackage, CudaPackage, ROCmPackage):\n    depends_on(\"cuda\", when=\"+cuda\")\n",
        ),
        (
            ".github/workflows/docs.yml",
            "jobs:\n  docs:\n    steps:\n      - run: python docs/cuda_notes.py\n",
        ),
    ]);
    let done = tree.run(&["check", "."]);
    assert!(!done.out.contains("CASS6"), "{}", done.out);
}

#[test]
fn a_build_for_both_vendors_has_the_headers_that_it_names() {
    let tree = Tree::new(&[
        (
            "src/CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.18)\nproject(x LANGUAGES CXX CUDA)\nadd_executable(x main.cu)\n",
        ),
        (
            "src/main.cu",
            "#include <cuda_runtime.h>\nint main() { float *d; return cudaMalloc(&d, 4); }\n",
        ),
    ]);
    let translate = || assert_eq!(tree.run(&["--build", "dual", "src", "out"]).code, 0);
    translate();
    let list = tree.read("out/CMakeLists.txt");
    assert!(
        list.contains("option(USE_HIP") && list.contains("cass_hip/use_hip.cmake"),
        "{list}"
    );
    assert!(
        tree.read("out/cass_hip/use_hip.cmake")
            .contains("cass_use_hip")
    );
    assert!(tree.path("out/cass_hip/cuda_runtime.h").is_file());
    let shim = tree.read("out/cass_hip/cass_cuda_shim.h");
    assert!(shim.contains("#define cudaMalloc hipMalloc"), "{shim}");
    assert_eq!(tree.read("out/main.cu"), tree.read("src/main.cu"));
    translate();
    assert_eq!(
        tree.read("out/CMakeLists.txt"),
        list,
        "a second run changes nothing"
    );
}

#[test]
fn a_header_that_names_complex_functions_gives_its_sources_the_second_interface() {
    let tree = Tree::new(&[
        ("precision.h", "#define cublasXgemm cublasZgemm\n"),
        (
            "core.cu",
            "#include <cublas_v2.h>\n#include \"precision.h\"\n",
        ),
        ("real.cu", "#include <cublas_v2.h>\n"),
    ]);
    let diff = tree.run(&["diff", "."]).out;
    let (core, real) = diff
        .split_once("real.cu")
        .unwrap_or_else(|| panic!("{diff}"));
    let defines = |text: &str| text.contains("+#define HIPBLAS_V2");
    assert!(defines(core) && !defines(real), "{diff}");
}

#[test]
fn scripts_without_an_end_of_their_names_are_read() {
    let tree = Tree::new(&[
        (
            "bin/build",
            "#!/bin/sh -e\nnvcc -O3 -arch=sm_80 a.cu -o a\n",
        ),
        (
            "bin/watch",
            "#!/usr/bin/env python3\nimport subprocess\nsubprocess.run([\"nvcc\", \"-V\"], check=True)\n",
        ),
        ("bin/notes", "nvcc a.cu\n"),
        ("bin/other", "#!/usr/bin/perl\nsystem('nvcc a.cu');\n"),
    ]);
    let done = tree.run(&["check", "."]);
    assert!(done.out.contains("bin/watch:3"), "{}", done.out);
    let changes = tree.run(&["diff", "."]).out;
    assert!(changes.contains("+hipcc -O3"), "{changes}");
    for name in ["bin/notes", "bin/other"] {
        assert!(!done.out.contains(name), "{}", done.out);
        assert!(!changes.contains(name), "{changes}");
    }
}

#[test]
fn packages_that_pip_compiles_for_cuda_are_told() {
    let tree = Tree::new(&[
        ("requirements.txt", "numpy\ncupy>=12\n"),
        ("a/requirements.txt", "numpy\ncupy-rocm-7-0\n"),
        ("b/requirements.txt", "onnxruntime-gpu\n"),
        ("c/requirements-dev.txt", "cuda-bindings>=12.8\n"),
        (
            "d/meta.yaml",
            "requirements:\n  host:\n    - \"cuda >= 12.1\"\n",
        ),
        (
            "c/environment.yml",
            "channels:\n  - nvidia\ndependencies:\n  - pytorch-cuda=12.4\n",
        ),
        ("c/setup.cfg", "[tool]\ncuda-dev = 1\n"),
        (
            "a/pyproject.toml",
            "[tool.mypy]\nmodule = [\"cupy\", \"numba\"]\n",
        ),
        (
            "b/pyproject.toml",
            "[project]\nname = \"x\"\ndependencies = [\"cupy>=12\"]\n",
        ),
    ]);
    let done = tree.run(&["check", "."]);
    for (name, expected) in [
        ("requirements.txt:2", true),
        ("a/requirements.txt", false),
        ("b/requirements.txt:1", true),
        ("c/requirements-dev.txt:1", true),
        ("c/environment.yml:2", true),
        ("d/meta.yaml:3", true),
        ("c/setup.cfg", false),
        ("a/pyproject.toml", false),
        ("b/pyproject.toml:3", true),
    ] {
        let is_told = done.out.lines().any(|line| line.starts_with(name));
        assert_eq!(is_told, expected, "{name}: {}", done.out);
    }
}

#[test]
fn a_list_tells_each_package_that_amd_has_in_another_form() {
    let tree = Tree::new(&[
        (
            "requirements.txt",
            "numpy\nvllm\ntensorrt==10.3\nnvidia-cublas-cu12\nnvidia-cudnn-cu12\n",
        ),
        (
            "pyproject.toml",
            "[project]\nname = \"vllm\"\ndependencies = [\n  \"vllm\",\n]\n[project.optional-dependencies]\nte = [\"transformer-engine[pytorch]\"]\n[tool.isort]\nknown_third_party = [\"vllm\"]\n",
        ),
    ]);
    let done = tree.run(&["check", ".", "--show", "info", "--output-format", "concise"]);
    let mut places: Vec<&str> = done
        .out
        .lines()
        .filter_map(|line| line.split_once("CASS633").map(|it| it.0))
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            "pyproject.toml:4:4: warning[",
            "pyproject.toml:7:8: info[",
            "requirements.txt:2:1: warning[",
            "requirements.txt:3:1: warning[",
            "requirements.txt:4:1: warning[",
        ],
        "{}",
        done.out
    );
}

#[test]
fn what_amd_has_a_folder_for_is_information() {
    let image = "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\nRUN make\n";
    let tree = Tree::new(&[
        ("docker/nvidia/Dockerfile", image),
        ("docker/amd/Dockerfile", "FROM rocm/dev-ubuntu-22.04\n"),
        ("docker/TensorRT-LLM/Dockerfile", image),
    ]);
    let done = tree.run(&["check", "."]);
    assert!(!done.out.contains("docker/"), "{}", done.out);
    let changes = tree.run(&["diff", "."]).out;
    assert!(!changes.contains("rocm/dev"), "{changes}");
}

#[test]
fn what_says_most_is_named() {
    let job = "jobs:\n  a:\n    steps:\n      - run: python -c \"assert f(), 'the CUDA backend is off'\"\n      - run: docker run nvcr.io/nvidia/pytorch:26.03-py3\n";
    let tree = Tree::new(&[(".github/workflows/a.yml", job)]);
    let out = tree.run(&["check", "."]).out;
    assert!(out.contains("`nvcr.io/nvidia/pytorch:26.03-py3`"), "{out}");
}

#[test]
fn a_program_that_a_service_runs_has_the_advice_for_it() {
    let watch = "services:\n  watch:\n    image: own\n    command: nvidia-smi dmon\n";
    let tree = Tree::new(&[
        ("docker-compose.yml", watch),
        (
            "gpu/docker-compose.yml",
            &format!("{watch}    runtime: nvidia\n"),
        ),
    ]);
    let out = tree.run(&["check", "."]).out;
    assert!(out.contains("run amd-smi"), "{out}");
    assert!(out.contains("gpu/docker-compose.yml:5"), "{out}");
}

#[test]
fn a_notebook_goes_on_behind_a_command_that_is_not_there() {
    let cell = r#"{"cells": [{"cell_type": "code", "metadata": {}, "source": ["!nvidia-smi\n", "print(1)"], "outputs": [], "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
    let tree = Tree::new(&[("lesson.ipynb", cell)]);
    let done = tree.run(&["check", ".", "--show", "info", "--output-format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&done.out).expect("a report");
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(finding["code"], "CASS698", "{}", done.out);
    assert_eq!(finding["severity"], "info", "{}", done.out);
}

/// Scripts serve both vendors, jobs with `--gpus` run on NVIDIA's machines, and TensorRT has no counterpart: what they run in is told and stays.
#[test]
fn images_of_scripts_and_of_nvidias_machines_stay() {
    let image = "nvidia/cuda:12.4.1-devel-ubuntu22.04";
    let docker = format!("FROM {image}\nRUN make\n");
    let job = format!("jobs:\n  a:\n    container:\n      image: {image}\n");
    let on_gpus = format!("{job}      options: --gpus all\n");
    let kernel = ("k.cu", "__global__ void k() {}\n");
    let script = (
        "train.py",
        "import torch\nx = torch.zeros(4, device=\"cuda\")\n",
    );
    let library = format!("{docker}RUN tar xf TensorRT-10.8.tar.gz\n");
    for (source, expected) in [
        (kernel, [true, true, false, false]),
        (script, [false, false, false, false]),
    ] {
        let tree = Tree::new(&[
            source,
            ("Dockerfile", &docker),
            (".github/workflows/build.yml", &job),
            (".github/workflows/bench.yml", &on_gpus),
            ("engine/Containerfile", &library),
        ]);
        let changes = tree.run(&["diff", "."]).out;
        let told = tree.run(&["check", "."]).out;
        let names = ["Dockerfile", "build.yml", "bench.yml", "Containerfile"];
        for (name, expected) in names.iter().zip(expected) {
            let is_changed = changes
                .lines()
                .any(|line| line.starts_with("+++") && line.contains(name));
            assert_eq!(
                is_changed, expected,
                "{name} beside {}: {changes}",
                source.0
            );
            assert!(told.contains(name), "{name} beside {}: {told}", source.0);
        }
    }
}

#[test]
fn names_and_sentences_of_yaml_are_no_packages() {
    let services = "services:\n  build-cuda12-ubuntu22:\n    image: own\n";
    let review = "jobs:\n  a:\n    with:\n      prompt: |\n        - missing NVIDIA copyright headers on new Python files, missing\n";
    let job = "jobs:\n  a:\n    steps:\n      - run: pip install nvidia-nccl-cu12\n";
    for (path, text, is_told) in [
        ("docker-compose.yml", services, false),
        (
            "docker-compose.yml",
            "services:\n  a:\n    runtime: nvidia\n",
            true,
        ),
        (
            "compose.yaml",
            "services:\n  a:\n    deploy:\n      resources:\n        reservations:\n          devices:\n            - driver: nvidia\n",
            true,
        ),
        (
            "backend.Dockerfile",
            "ARG BASE=pytorch/pytorch:2.5.1-cuda12.1-cudnn9-runtime\nFROM ${BASE}\n",
            true,
        ),
        ("dev_requirements.txt", "nvidia-cublas-cu12\n", true),
        (
            ".azure/gpu.yml",
            "container:\n  image: kit/trainer:ubuntu24.04-cuda12.8.1\n",
            true,
        ),
        (".github/workflows/review.yml", review, false),
        (".github/workflows/build.yml", job, true),
    ] {
        let out = Tree::new(&[(path, text)]).run(&["check", "."]).out;
        assert_eq!(out.contains("CASS633"), is_told, "{path}: {out}");
    }
}
