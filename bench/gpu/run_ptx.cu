// SPDX-License-Identifier: Apache-2.0
/*
 * Launches a kernel of a cubin again and again, and compares the bits of what it makes with those in a file.
 *
 * usage: run_ptx CUBIN NAME GRID_X GRID_Y THREADS SHARED_BYTES REPEATS FILE BUSY ARGUMENT...
 *
 * FILE is written where it is not there. BUSY: a cubin of busy_tensor_cores.cu that runs beside each launch, or -.
 * ARGUMENT: in:N, N elements of bf16 of chance; out:N, N elements; int:N, a number; scratch:N, N bytes.
 * Exit status: 0, with how many launches differ; 2: an error.
 */
#include <cuda.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { MOST_ARGUMENTS = 16, BUSY_BLOCKS = 132, BUSY_THREADS = 256, BUSY_TIMES = 4000 };

static void require(CUresult status, const char *what)
{
    const char *name = "?";
    if (status == CUDA_SUCCESS)
        return;
    cuGetErrorName(status, &name);
    std::fprintf(stderr, "%s: %s\n", what, name);
    std::exit(2);
}

static CUfunction load(const char *path, const char *name)
{
    CUmodule module;
    CUfunction function;
    require(cuModuleLoad(&module, path), path);
    require(cuModuleGetFunction(&function, module, name), name);
    return function;
}

/* Between -1 and 1. */
static std::vector<uint16_t> numbers(size_t count, uint32_t seed)
{
    std::vector<uint16_t> all(count);
    for (uint16_t &one : all) {
        seed = seed * 1664525U + 1013904223U;
        const float value = (float)(seed >> 8) / (float)(1 << 23) - 1;
        uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        one = (uint16_t)(bits >> 16);
    }
    return all;
}

int main(int argc, char **argv)
{
    enum { CUBIN = 1, NAME, GRID_X, GRID_Y, THREADS, SHARED, REPEATS, FILE_NAME, BUSY, ARGUMENTS };
    if (argc <= ARGUMENTS || argc - ARGUMENTS > MOST_ARGUMENTS)
        return 2;
    CUdevice device;
    CUcontext context;
    CUstream ours, theirs;
    require(cuInit(0), "cuInit");
    require(cuDeviceGet(&device, 0), "device");
    require(cuDevicePrimaryCtxRetain(&context, device), "context");
    require(cuCtxSetCurrent(context), "context");
    require(cuStreamCreate(&ours, CU_STREAM_NON_BLOCKING), "stream");
    require(cuStreamCreate(&theirs, CU_STREAM_NON_BLOCKING), "stream");

    CUdeviceptr pointers[MOST_ARGUMENTS], result = 0, sink;
    int integers[MOST_ARGUMENTS];
    void *values[MOST_ARGUMENTS];
    size_t bytes = 0;
    for (int i = 0; i < argc - ARGUMENTS; i++) {
        const char *argument = argv[ARGUMENTS + i];
        const long count = std::atol(std::strchr(argument, ':') + 1);
        values[i] = &pointers[i];
        if (std::strncmp(argument, "int:", 4) == 0) {
            integers[i] = (int)count;
            values[i] = &integers[i];
        } else if (std::strncmp(argument, "in:", 3) == 0) {
            const std::vector<uint16_t> chance = numbers((size_t)count, (uint32_t)i + 1);
            require(cuMemAlloc(&pointers[i], (size_t)count * 2), argument);
            require(cuMemcpyHtoD(pointers[i], chance.data(), (size_t)count * 2), argument);
        } else {
            const size_t size = std::strncmp(argument, "out:", 4) == 0 ? (size_t)count * 2 : (size_t)count;
            require(cuMemAlloc(&pointers[i], size > 0 ? size : 1), argument);
            if (argument[0] == 'o') {
                result = pointers[i];
                bytes = size;
            }
        }
    }

    const CUfunction kernel = load(argv[CUBIN], argv[NAME]);
    const CUfunction busy = argv[BUSY][0] == '-' ? nullptr : load(argv[BUSY], "keep_busy");
    const unsigned shared = (unsigned)std::atoi(argv[SHARED]);
    require(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)shared), "shared");
    require(cuMemAlloc(&sink, 4), "sink");
    std::vector<unsigned char> wanted(bytes), got(bytes);
    FILE *file = std::fopen(argv[FILE_NAME], "rb");
    bool has_wanted = file && std::fread(wanted.data(), 1, bytes, file) == bytes;
    if (file)
        std::fclose(file);
    int times = BUSY_TIMES, unlike = 0;
    void *busy_values[] = {&times, &sink};
    const int repeats = std::atoi(argv[REPEATS]);
    for (int r = 0; r < repeats; r++) {
        require(cuMemsetD8(result, 0xff, bytes), "result");
        require(cuCtxSynchronize(), "synchronise");
        if (busy)
            require(cuLaunchKernel(busy, BUSY_BLOCKS, 1, 1, BUSY_THREADS, 1, 1, 0, theirs, busy_values, nullptr), "busy");
        require(cuLaunchKernel(kernel, (unsigned)std::atoi(argv[GRID_X]), (unsigned)std::atoi(argv[GRID_Y]), 1,
                               (unsigned)std::atoi(argv[THREADS]), 1, 1, shared, ours, values, nullptr),
                "launch");
        require(cuCtxSynchronize(), "run");
        require(cuMemcpyDtoH(got.data(), result, bytes), "result");
        if (!has_wanted) {
            wanted = got;
            has_wanted = true;
            file = std::fopen(argv[FILE_NAME], "wb");
            if (!file || std::fwrite(wanted.data(), 1, bytes, file) != bytes || std::fclose(file))
                return 2;
        }
        unlike += got != wanted;
    }
    std::printf("%d of %d differ\n", unlike, repeats);
    return 0;
}
