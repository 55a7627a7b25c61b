// name: helper_cuda_drvapi
// provides: findCudaDeviceDRV, gpuDeviceInitDRV, gpuGetMaxGflopsDeviceIdDRV, findIntegratedGPUDrv, getCudaAttribute, checkCudaCapabilitiesDRV
// replaces: helper_cuda_drvapi.h
// requires: helper_cuda
// summary: Device choice with driver API handles, of the CUDA samples' helper_cuda_drvapi.h, under its own names.
// source: documented behaviour of the CUDA samples (Common); in HIP a device handle is the device's number
inline int gpuDeviceInitDRV(int argc, const char** argv)
{
    checkCudaErrors(hipInit(0));
    const int device = getCmdLineArgumentInt(argc, argv, "device=");
    return gpuDeviceInit(device < 0 ? 0 : device);
}
inline int gpuGetMaxGflopsDeviceIdDRV()
{
    checkCudaErrors(hipInit(0));
    return gpuGetMaxGflopsDeviceId();
}
inline hipDevice_t findCudaDeviceDRV(int argc, const char** argv)
{
    checkCudaErrors(hipInit(0));
    hipDevice_t device;
    checkCudaErrors(hipDeviceGet(&device, findCudaDevice(argc, argv)));
    return device;
}
inline hipDevice_t findIntegratedGPUDrv()
{
    checkCudaErrors(hipInit(0));
    hipDevice_t device;
    checkCudaErrors(hipDeviceGet(&device, findIntegratedGPU()));
    return device;
}
template <class CassT>
inline void getCudaAttribute(CassT* value, hipDeviceAttribute_t attribute, int device)
{
    *value = static_cast<CassT>(cass_device_attribute(attribute, device));
}
inline bool checkCudaCapabilitiesDRV(int major, int minor, int device)
{
    checkCudaErrors(hipSetDevice(device));
    return checkCudaCapabilities(major, minor);
}
