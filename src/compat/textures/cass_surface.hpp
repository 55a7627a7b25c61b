// name: cass_surface
// provides: cass_surf1Dread, cass_surf1Dwrite, cass_surf2Dread, cass_surf2Dwrite, cass_surf3Dread, cass_surf3Dwrite, cass_surf1DLayeredread, cass_surf1DLayeredwrite, cass_surf2DLayeredread, cass_surf2DLayeredwrite, cass_surfCubemapread, cass_surfCubemapwrite
// replaces: surf1Dread, surf1Dwrite, surf2Dread, surf2Dwrite, surf3Dread, surf3Dwrite, surf1DLayeredread, surf1DLayeredwrite, surf2DLayeredread, surf2DLayeredwrite, surfCubemapread, surfCubemapwrite
// summary: Surface reads that return the value, and surface calls with a boundary mode, which AMD hardware fixes: outside reads give 0.
// source: CUDA C++ Programming Guide 13.0, surface functions; HIP 6.4 amd_surface_functions.h
template <typename CassT>
__device__ inline CassT cass_surf1Dread(hipSurfaceObject_t surface, int x, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surf1Dread(&value, surface, x);
    return value;
}
template <typename CassT>
__device__ inline void cass_surf1Dread(CassT* value, hipSurfaceObject_t surface, int x, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf1Dread(value, surface, x);
}
template <typename CassT>
__device__ inline void cass_surf1Dwrite(CassT value, hipSurfaceObject_t surface, int x, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf1Dwrite(value, surface, x);
}
template <typename CassT>
__device__ inline CassT cass_surf2Dread(hipSurfaceObject_t surface, int x, int y, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surf2Dread(&value, surface, x, y);
    return value;
}
template <typename CassT>
__device__ inline void cass_surf2Dread(CassT* value, hipSurfaceObject_t surface, int x, int y, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf2Dread(value, surface, x, y);
}
template <typename CassT>
__device__ inline void cass_surf2Dwrite(CassT value, hipSurfaceObject_t surface, int x, int y, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf2Dwrite(value, surface, x, y);
}
template <typename CassT>
__device__ inline CassT cass_surf3Dread(hipSurfaceObject_t surface, int x, int y, int z, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surf3Dread(&value, surface, x, y, z);
    return value;
}
template <typename CassT>
__device__ inline void cass_surf3Dread(CassT* value, hipSurfaceObject_t surface, int x, int y, int z, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf3Dread(value, surface, x, y, z);
}
template <typename CassT>
__device__ inline void cass_surf3Dwrite(CassT value, hipSurfaceObject_t surface, int x, int y, int z, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf3Dwrite(value, surface, x, y, z);
}
template <typename CassT>
__device__ inline CassT cass_surf1DLayeredread(hipSurfaceObject_t surface, int x, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surf1DLayeredread(&value, surface, x, layer);
    return value;
}
template <typename CassT>
__device__ inline void cass_surf1DLayeredread(CassT* value, hipSurfaceObject_t surface, int x, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf1DLayeredread(value, surface, x, layer);
}
template <typename CassT>
__device__ inline void cass_surf1DLayeredwrite(CassT value, hipSurfaceObject_t surface, int x, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf1DLayeredwrite(value, surface, x, layer);
}
template <typename CassT>
__device__ inline CassT cass_surf2DLayeredread(hipSurfaceObject_t surface, int x, int y, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surf2DLayeredread(&value, surface, x, y, layer);
    return value;
}
template <typename CassT>
__device__ inline void cass_surf2DLayeredread(CassT* value, hipSurfaceObject_t surface, int x, int y, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf2DLayeredread(value, surface, x, y, layer);
}
template <typename CassT>
__device__ inline void cass_surf2DLayeredwrite(CassT value, hipSurfaceObject_t surface, int x, int y, int layer, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surf2DLayeredwrite(value, surface, x, y, layer);
}
template <typename CassT>
__device__ inline CassT cass_surfCubemapread(hipSurfaceObject_t surface, int x, int y, int face, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    CassT value;
    surfCubemapread(&value, surface, x, y, face);
    return value;
}
template <typename CassT>
__device__ inline void cass_surfCubemapread(CassT* value, hipSurfaceObject_t surface, int x, int y, int face, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surfCubemapread(value, surface, x, y, face);
}
template <typename CassT>
__device__ inline void cass_surfCubemapwrite(CassT value, hipSurfaceObject_t surface, int x, int y, int face, hipSurfaceBoundaryMode = hipBoundaryModeTrap)
{
    surfCubemapwrite(value, surface, x, y, face);
}
