//! Functions of HIP that are not emulated. A call names itself and ends the process (exit code 97): a program that goes on after a call
//! which did nothing may well print wrong numbers.

use super::runtime::give_up;

/// Exports functions that only say so. Their arguments are not looked at, and they do not come back.
macro_rules! unsupported {
    ($($name:ident)+) => {$(
        /// Not emulated.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> i32 {
            give_up(concat!(stringify!($name), " is not emulated"))
        }
    )+};
}

unsupported! {
    __hipGetPCH hipApiName hipBindTexture hipBindTexture2D hipBindTextureToArray hipBindTextureToMipmappedArray hipConfigureCall
    hipDestroyExternalMemory hipDestroyExternalSemaphore
    hipDeviceGetGraphMemAttribute hipDeviceGetTexture1DLinearMaxWidth hipDeviceSetGraphMemAttribute
    hipDrvGraphAddMemFreeNode hipDrvGraphAddMemcpyNode hipDrvGraphAddMemsetNode hipDrvGraphExecMemcpyNodeSetParams
    hipDrvGraphExecMemsetNodeSetParams hipDrvGraphMemcpyNodeGetParams hipDrvGraphMemcpyNodeSetParams
    hipExtGetLinkTypeAndHopCount hipExtStreamGetCUMask hipExternalMemoryGetMappedBuffer hipExternalMemoryGetMappedMipmappedArray
    hipFreeMipmappedArray hipGetMipmappedArrayLevel hipGetProcAddress hipGetTextureAlignmentOffset
    hipGetTextureObjectResourceViewDesc hipGetTextureReference
    hipGraphAddBatchMemOpNode hipGraphAddExternalSemaphoresSignalNode hipGraphAddExternalSemaphoresWaitNode hipGraphAddNode
    hipGraphBatchMemOpNodeGetParams hipGraphBatchMemOpNodeSetParams hipGraphChildGraphNodeGetGraph hipGraphDebugDotPrint
    hipGraphEventRecordNodeGetEvent hipGraphEventRecordNodeSetEvent hipGraphEventWaitNodeGetEvent hipGraphEventWaitNodeSetEvent
    hipGraphExecBatchMemOpNodeSetParams hipGraphExecExternalSemaphoresSignalNodeSetParams
    hipGraphExecExternalSemaphoresWaitNodeSetParams hipGraphExecMemcpyNodeSetParamsFromSymbol
    hipGraphExecMemcpyNodeSetParamsToSymbol hipGraphExecNodeSetParams hipGraphExternalSemaphoresSignalNodeGetParams
    hipGraphExternalSemaphoresSignalNodeSetParams hipGraphExternalSemaphoresWaitNodeGetParams
    hipGraphExternalSemaphoresWaitNodeSetParams hipGraphInstantiateWithParams hipGraphKernelNodeCopyAttributes
    hipGraphKernelNodeGetAttribute hipGraphKernelNodeSetAttribute hipGraphMemAllocNodeGetParams hipGraphMemcpyNodeGetParams
    hipGraphMemcpyNodeSetParamsFromSymbol hipGraphMemcpyNodeSetParamsToSymbol hipGraphNodeSetParams hipGraphReleaseUserObject
    hipGraphRetainUserObject hipGraphicsMapResources hipGraphicsResourceGetMappedPointer hipGraphicsSubResourceGetMappedArray
    hipGraphicsUnmapResources hipGraphicsUnregisterResource hipHccModuleLaunchKernel hipImportExternalMemory
    hipImportExternalSemaphore hipIpcCloseMemHandle hipIpcGetEventHandle hipIpcGetMemHandle hipIpcOpenEventHandle
    hipIpcOpenMemHandle hipKernelNameRef hipLaunchByPtr hipLinkAddData hipLinkAddFile hipLinkComplete hipLinkCreate
    hipLinkDestroy hipMallocMipmappedArray hipMemAddressFree hipMemAddressReserve hipMemCreate hipMemExportToShareableHandle
    hipMemGetAccess hipMemGetAllocationGranularity hipMemGetAllocationPropertiesFromHandle hipMemImportFromShareableHandle
    hipMemMap hipMemMapArrayAsync hipMemPoolExportPointer hipMemPoolExportToShareableHandle hipMemPoolImportFromShareableHandle
    hipMemPoolImportPointer hipMemRangeGetAttribute hipMemRangeGetAttributes hipMemRelease hipMemRetainAllocationHandle
    hipMemSetAccess hipMemUnmap hipMemcpy2DArrayToArray hipMemcpy2DFromArrayAsync_spt hipMemcpy2DFromArray_spt
    hipMemcpy2DToArrayAsync_spt hipMemcpy2DToArray_spt hipMemcpyAtoA hipMemcpyAtoD hipMemcpyAtoHAsync hipMemcpyDtoA
    hipMemcpyFromArray_spt hipMemcpyHtoAAsync hipMipmappedArrayCreate hipMipmappedArrayDestroy hipMipmappedArrayGetLevel
    hipModuleGetTexRef hipModuleLaunchCooperativeKernelMultiDevice hipPointerSetAttribute hipSetupArgument
    hipSignalExternalSemaphoresAsync hipStreamBatchMemOp hipStreamBeginCaptureToGraph hipStreamGetCaptureInfo_v2_spt
    hipStreamUpdateCaptureDependencies hipTexObjectGetResourceDesc
    hipTexObjectGetResourceViewDesc hipTexObjectGetTextureDesc hipTexRefGetAddress hipTexRefGetAddressMode hipTexRefGetArray
    hipTexRefGetBorderColor hipTexRefGetFilterMode hipTexRefGetFlags hipTexRefGetFormat hipTexRefGetMaxAnisotropy
    hipTexRefGetMipMappedArray hipTexRefGetMipmapFilterMode hipTexRefGetMipmapLevelBias hipTexRefGetMipmapLevelClamp
    hipTexRefSetAddress hipTexRefSetAddress2D hipTexRefSetAddressMode hipTexRefSetArray hipTexRefSetBorderColor
    hipTexRefSetFilterMode hipTexRefSetFlags hipTexRefSetFormat hipTexRefSetMaxAnisotropy hipTexRefSetMipmapFilterMode
    hipTexRefSetMipmapLevelBias hipTexRefSetMipmapLevelClamp hipTexRefSetMipmappedArray hipUnbindTexture hipUserObjectCreate
    hipUserObjectRelease hipUserObjectRetain hipWaitExternalSemaphoresAsync
    hiprtcGetBitcode hiprtcGetBitcodeSize
    hiprtcLinkAddData hiprtcLinkAddFile
    hiprtcLinkComplete hiprtcLinkCreate hiprtcLinkDestroy
}
