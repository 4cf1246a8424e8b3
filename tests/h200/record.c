// Runs kernels on a GPU and writes down what they leave in their buffers.
//   record FOLDER [LINES PTX]...
// LINES has the launch lines (a .cu file, or a file of lines), PTX the kernels. What NAME.ptx
// leaves goes to FOLDER/NAME.h200: of each buffer that it has changed a line `buffer NAME TYPE
// COUNT HASH` (FNV-1a of its bytes), then its first bytes as words of 64 bits. The CUDA driver is
// opened when the program runs, so that it can be built without one.
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/launch.h"

typedef struct Driver {
  CUresult (*init)(unsigned);
  CUresult (*retain_context)(CUcontext *, CUdevice);
  CUresult (*set_context)(CUcontext);
  CUresult (*load_module)(CUmodule *, const void *);
  CUresult (*unload_module)(CUmodule);
  CUresult (*get_function)(CUfunction *, CUmodule, const char *);
  CUresult (*set_attribute)(CUfunction, CUfunction_attribute, int);
  CUresult (*allocate)(CUdeviceptr *, size_t);
  CUresult (*free)(CUdeviceptr);
  CUresult (*copy_in)(CUdeviceptr, const void *, size_t);
  CUresult (*copy_out)(void *, CUdeviceptr, size_t);
  CUresult (*launch)(const CUlaunchConfig *, CUfunction, void **, void **);
  CUresult (*synchronize)(void);
  CUresult (*error_name)(CUresult, const char **);
  CUresult (*encode_map)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *,
                         const cuuint64_t *, const cuuint32_t *, const cuuint32_t *,
                         CUtensorMapInterleave, CUtensorMapSwizzle, CUtensorMapL2promotion,
                         CUtensorMapFloatOOBfill);
  CUresult (*encode_columns)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                             const cuuint64_t *, const cuuint64_t *, const int *, const int *,
                             cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
                             CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  CUresult (*create_array)(CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *);
  CUresult (*destroy_array)(CUarray);
  CUresult (*copy_array)(const CUDA_MEMCPY3D *);
  CUresult (*create_texture)(CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *,
                             const CUDA_RESOURCE_VIEW_DESC *);
  CUresult (*create_surface)(CUsurfObject *, const CUDA_RESOURCE_DESC *);
} Driver;

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "the CUDA driver has no %s\n", name);
    exit(2);
  }
  return symbol;
}

static void open_driver(Driver *driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    fprintf(stderr, "expected a CUDA driver, found none: %s\n", dlerror());
    exit(2);
  }
#define FIND(field, name) *(void **)&driver->field = find(library, name)
  FIND(init, "cuInit");
  FIND(retain_context, "cuDevicePrimaryCtxRetain");
  FIND(set_context, "cuCtxSetCurrent");
  FIND(load_module, "cuModuleLoadData");
  FIND(unload_module, "cuModuleUnload");
  FIND(get_function, "cuModuleGetFunction");
  FIND(set_attribute, "cuFuncSetAttribute");
  FIND(allocate, "cuMemAlloc_v2");
  FIND(free, "cuMemFree_v2");
  FIND(copy_in, "cuMemcpyHtoD_v2");
  FIND(copy_out, "cuMemcpyDtoH_v2");
  FIND(launch, "cuLaunchKernelEx");
  FIND(synchronize, "cuCtxSynchronize");
  FIND(error_name, "cuGetErrorName");
  FIND(encode_map, "cuTensorMapEncodeTiled");
  FIND(encode_columns, "cuTensorMapEncodeIm2col");
  FIND(create_array, "cuArray3DCreate_v2");
  FIND(destroy_array, "cuArrayDestroy");
  FIND(copy_array, "cuMemcpy3D_v2");
  FIND(create_texture, "cuTexObjectCreate");
  FIND(create_surface, "cuSurfObjectCreate");
#undef FIND
}

static bool succeeded(const Driver *driver, CUresult result, const char *what, const char *file) {
  const char *name = "unknown error";
  if (result == CUDA_SUCCESS)
    return true;
  driver->error_name(result, &name);
  fprintf(stderr, "%s: %s: %s\n", file, what, name);
  return false;
}

static Source read_source(Arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  size_t length = (size_t)ftell(file);
  rewind(file);
  char *text = arena_alloc(arena, length + 1, 1);
  length = fread(text, 1, length, file);
  fclose(file);
  return (Source){path, text, (uint32_t)length};
}

static const LaunchSet *read_launches(Arena *arena, const char *path) {
  Source *source = ARENA_NEW(arena, Source);
  *source = read_source(arena, path);
  bool is_code = strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".cu") == 0;
  LaunchInput input = {is_code ? LAUNCH_INPUT_COMMENTS : LAUNCH_INPUT_LINES, source};
  LaunchOptions options = {0};
  DiagList diags;
  diag_list_init(&diags, arena);
  const LaunchSet *set = launch_parse(&input, 1, &options, arena, &diags);
  for (uint32_t i = 0; i < diags.count; i++)
    fprintf(stderr, "%s: %s\n", path, diags.items[i].message);
  return set;
}

static CUtensorMapDataType element_type(PtxType type) {
  switch (type) {
  case PTX_TYPE_f16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case PTX_TYPE_bf16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case PTX_TYPE_f32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case PTX_TYPE_f64:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
  case PTX_TYPE_s32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case PTX_TYPE_s64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  default:
    return ptx_type_bits(type) == 8    ? CU_TENSOR_MAP_DATA_TYPE_UINT8
           : ptx_type_bits(type) == 16 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
           : ptx_type_bits(type) == 32 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                       : CU_TENSOR_MAP_DATA_TYPE_UINT64;
  }
}

static void encode_map(const Driver *driver, const LaunchView *view, CUdeviceptr buffer,
                       const char *name, CUtensorMap *map) {
  cuuint64_t sizes[LAUNCH_MAX_RANK], strides[LAUNCH_MAX_RANK];
  cuuint32_t steps[LAUNCH_MAX_RANK];
  uint64_t stride = ptx_type_bits(view->type) / 8;
  for (uint32_t i = 0; i < view->rank; i++) {
    sizes[i] = view->size[i];
    steps[i] = 1;
    stride *= sizes[i];
    strides[i] = stride; // of the next dimension; the innermost has none
  }
  CUtensorMapSwizzle swizzle = view->swizzle == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                               : view->swizzle == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                               : view->swizzle == 32 ? CU_TENSOR_MAP_SWIZZLE_32B
                                                     : CU_TENSOR_MAP_SWIZZLE_NONE;
  CUtensorMapDataType type = element_type(view->type);
  CUresult result =
      view->is_im2col
          ? driver->encode_columns(
                map, type, view->rank, (void *)buffer, sizes, strides, view->lower, view->upper,
                view->box[0], view->box[1], steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
          : driver->encode_map(map, type, view->rank, (void *)buffer, sizes, strides, view->box,
                               steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  succeeded(driver, result, "encode a tensor map", name);
}

// --- textures and surfaces: a buffer that is one lies in an array

typedef struct Memory {
  CUdeviceptr linear;
  CUarray array;             // NULL: it is linear
  const LaunchView *texture; // NULL: it is none
} Memory;

static const LaunchView *find_texture(const LaunchSet *set, uint32_t buffer) {
  for (uint32_t i = 0; i < set->launch_count; i++)
    for (uint32_t j = 0; j < set->launches[i].argument_count; j++) {
      const LaunchArgument *argument = &set->launches[i].arguments[j];
      for (uint32_t k = 0; k < argument->reference_count; k++) {
        const LaunchReference *reference = &argument->references[k];
        if (reference->buffer == buffer && reference->view && reference->view->texture_rank)
          return reference->view;
      }
    }
  return NULL;
}

static CUarray_format array_format(PtxType type) {
  switch (type) {
  case PTX_TYPE_f16:
    return CU_AD_FORMAT_HALF;
  case PTX_TYPE_f32:
    return CU_AD_FORMAT_FLOAT;
  case PTX_TYPE_s8:
    return CU_AD_FORMAT_SIGNED_INT8;
  case PTX_TYPE_s16:
    return CU_AD_FORMAT_SIGNED_INT16;
  case PTX_TYPE_s32:
    return CU_AD_FORMAT_SIGNED_INT32;
  default:
    return ptx_type_bits(type) == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
           : ptx_type_bits(type) == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                                       : CU_AD_FORMAT_UNSIGNED_INT32;
  }
}

static bool create_array(const Driver *driver, const LaunchView *texture, Memory *memory) {
  CUDA_ARRAY3D_DESCRIPTOR array = {.Width = texture->size[0],
                                   .Height = texture->texture_rank > 1 ? texture->size[1] : 0,
                                   .Depth = texture->texture_rank > 2 ? texture->size[2] : 0,
                                   .Format = array_format(texture->type),
                                   .NumChannels = texture->channels};
  array.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  if (!texture->is_surface)
    array.Flags = texture->texture_rank == 2 ? CUDA_ARRAY3D_TEXTURE_GATHER : 0;
  return succeeded(driver, driver->create_array(&memory->array, &array), "create an array",
                   "texture");
}

static bool copy_array(const Driver *driver, const Memory *memory, void *host, bool is_in) {
  const LaunchView *texture = memory->texture;
  CUDA_MEMCPY3D copy = {.srcMemoryType = is_in ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY,
                        .dstMemoryType = is_in ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST,
                        .Height = texture->texture_rank > 1 ? texture->size[1] : 1,
                        .Depth = texture->texture_rank > 2 ? texture->size[2] : 1,
                        .WidthInBytes = (size_t)texture->size[0] * texture->channels *
                                        ptx_type_bits(texture->type) / 8};
  copy.srcHost = copy.dstHost = host;
  copy.srcArray = copy.dstArray = memory->array;
  copy.srcPitch = copy.dstPitch = copy.WidthInBytes;
  copy.srcHeight = copy.dstHeight = copy.Height;
  return succeeded(driver, driver->copy_array(&copy), "copy an array", "texture");
}

static bool place_buffer(const Driver *driver, const LaunchSet *set, uint32_t index,
                         Memory *memory) {
  const LaunchBuffer *buffer = &set->buffers[index];
  *memory = (Memory){.texture = find_texture(set, index)};
  if (memory->texture)
    return create_array(driver, memory->texture, memory);
  return succeeded(driver, driver->allocate(&memory->linear, buffer->byte_count), "allocate",
                   buffer->name);
}

static void take_buffer(const Driver *driver, const Memory *memory, uint8_t *bytes,
                        uint64_t count) {
  if (memory->array) {
    copy_array(driver, memory, bytes, false);
    driver->destroy_array(memory->array);
    return;
  }
  driver->copy_out(bytes, memory->linear, count);
  driver->free(memory->linear);
}

static uint64_t create_view(const Driver *driver, const LaunchView *view, CUarray array) {
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
  CUDA_TEXTURE_DESC texture = {
      .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
      .filterMode = CU_TR_FILTER_MODE_POINT};
  if (ptx_type_kind(view->type) != PTX_NUMBER_F)
    texture.flags = CU_TRSF_READ_AS_INTEGER;
  CUsurfObject surface = 0;
  CUtexObject object = 0;
  if (view->is_surface)
    succeeded(driver, driver->create_surface(&surface, &resource), "create a surface", "surface");
  else
    succeeded(driver, driver->create_texture(&object, &resource, &texture, NULL),
              "create a texture", "texture");
  return view->is_surface ? surface : object;
}

// The bytes of an argument with the addresses, the tensor maps and the textures in them.
static void *bind_argument(const Driver *driver, const LaunchArgument *argument,
                           const Memory *buffers, Arena *arena) {
  uint8_t *bytes = arena_alloc(arena, argument->byte_count, 64);
  memcpy(bytes, argument->bytes, argument->byte_count);
  for (uint32_t i = 0; i < argument->reference_count; i++) {
    const LaunchReference *reference = &argument->references[i];
    CUdeviceptr address = buffers[reference->buffer].linear + reference->offset;
    if (reference->view && reference->view->texture_rank)
      address = create_view(driver, reference->view, buffers[reference->buffer].array);
    if (reference->view && reference->view->rank)
      encode_map(driver, reference->view, address, argument->name,
                 (CUtensorMap *)(bytes + reference->at));
    else
      memcpy(bytes + reference->at, &address, sizeof address);
  }
  return bytes;
}

static bool run_launch(const Driver *driver, CUmodule module, const Launch *launch,
                       const Memory *buffers, Arena *arena) {
  void **arguments = ARENA_ARRAY(arena, void *, launch->argument_count + 1);
  for (uint32_t i = 0; i < launch->argument_count; i++)
    arguments[i] = bind_argument(driver, &launch->arguments[i], buffers, arena);
  CUfunction function;
  if (!succeeded(driver, driver->get_function(&function, module, launch->kernel), "no such kernel",
                 launch->kernel))
    return false;
  driver->set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                        (int)launch->shared_bytes);
  CUlaunchAttribute attributes[2];
  CUlaunchConfig config = {.gridDimX = launch->grid[0],
                           .gridDimY = launch->grid[1],
                           .gridDimZ = launch->grid[2],
                           .blockDimX = launch->block[0],
                           .blockDimY = launch->block[1],
                           .blockDimZ = launch->block[2],
                           .sharedMemBytes = launch->shared_bytes,
                           .attrs = attributes};
  if (launch->is_cooperative) {
    attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attributes[config.numAttrs++].value.cooperative = 1;
  }
  if (launch->has_cluster) {
    attributes[config.numAttrs].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[config.numAttrs].value.clusterDim.x = launch->cluster[0];
    attributes[config.numAttrs].value.clusterDim.y = launch->cluster[1];
    attributes[config.numAttrs++].value.clusterDim.z = launch->cluster[2];
  }
  return succeeded(driver, driver->launch(&config, function, arguments, NULL), "launch",
                   launch->kernel) &&
         succeeded(driver, driver->synchronize(), "run", launch->kernel);
}

static uint64_t hash(const uint8_t *bytes, uint64_t count) {
  uint64_t value = 0xcbf29ce484222325u;
  for (uint64_t i = 0; i < count; i++)
    value = (value ^ bytes[i]) * 0x100000001b3u;
  return value;
}

// What the buffer holds at first.
static uint8_t *contents(Arena *arena, const LaunchBuffer *buffer) {
  uint8_t *bytes = arena_alloc(arena, buffer->byte_count, 8);
  launch_read_contents(buffer, 0, buffer->byte_count, bytes);
  return bytes;
}

static void write_buffer(FILE *file, const LaunchBuffer *buffer, const uint8_t *bytes,
                         Arena *arena) {
  enum { MOST_BYTES = 65536 };
  if (memcmp(bytes, contents(arena, buffer), buffer->byte_count) == 0)
    return;
  fprintf(file, "buffer %s %s %llu %llx\n", buffer->name, ptx_type_name(buffer->type),
          (unsigned long long)buffer->element_count,
          (unsigned long long)hash(bytes, buffer->byte_count));
  uint64_t count = buffer->byte_count < MOST_BYTES ? buffer->byte_count : MOST_BYTES;
  for (uint64_t i = 0; i < count; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes + i, count - i < 8 ? count - i : 8);
    bool ends_line = i % 64 == 56 || i + 8 >= count;
    fprintf(file, "%llx%c", (unsigned long long)word, ends_line ? '\n' : ' ');
  }
}

static bool fill_buffer(const Driver *driver, const LaunchBuffer *buffer, const Memory *to,
                        const Memory *buffers, Arena *arena) {
  uint8_t *bytes = contents(arena, buffer);
  for (uint32_t i = 0; i < buffer->reference_count; i++) {
    CUdeviceptr address =
        buffers[buffer->references[i].buffer].linear + buffer->references[i].offset;
    memcpy(bytes + buffer->references[i].at, &address, sizeof address);
  }
  if (to->array)
    return copy_array(driver, to, bytes, true);
  return succeeded(driver, driver->copy_in(to->linear, bytes, buffer->byte_count), "copy",
                   buffer->name);
}

static bool record(const Driver *driver, const char *folder, const char *lines, const char *ptx) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  bool is_ok = false;
  const LaunchSet *set = read_launches(&arena, lines);
  Source text = read_source(&arena, ptx);
  CUmodule module = NULL;
  if (!set || !succeeded(driver, driver->load_module(&module, text.text), "load", ptx))
    goto end;
  Memory *buffers = ARENA_ARRAY(&arena, Memory, set->buffer_count + 1);
  is_ok = true;
  for (uint32_t i = 0; i < set->buffer_count && is_ok; i++)
    is_ok = place_buffer(driver, set, i, &buffers[i]);
  for (uint32_t i = 0; i < set->buffer_count && is_ok; i++)
    is_ok = fill_buffer(driver, &set->buffers[i], &buffers[i], buffers, &arena);
  for (uint32_t i = 0; i < set->launch_count && is_ok; i++)
    is_ok = run_launch(driver, module, &set->launches[i], buffers, &arena);
  if (!is_ok)
    goto end;
  const char *name = strrchr(ptx, '/') ? strrchr(ptx, '/') + 1 : ptx;
  char *path = arena_format(&arena, "%s/%.*s.h200", folder, (int)strcspn(name, "."), name);
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    exit(2);
  }
  for (uint32_t i = 0; i < set->buffer_count; i++) {
    uint8_t *bytes = arena_alloc(&arena, set->buffers[i].byte_count, 8);
    take_buffer(driver, &buffers[i], bytes, set->buffers[i].byte_count);
    if (!set->buffers[i].reference_count) // addresses differ from run to run
      write_buffer(file, &set->buffers[i], bytes, &arena);
  }
  fclose(file);
end:
  if (module)
    driver->unload_module(module);
  arena_release(&arena);
  return is_ok;
}

int main(int argc, char **argv) {
  Driver driver;
  CUcontext context;
  if (argc < 2) {
    fprintf(stderr, "usage: record FOLDER [LINES PTX]...\n");
    return 2;
  }
  open_driver(&driver);
  if (!succeeded(&driver, driver.init(0), "start", "GPU") ||
      !succeeded(&driver, driver.retain_context(&context, 0), "start", "GPU") ||
      !succeeded(&driver, driver.set_context(context), "start", "GPU"))
    return 2;
  int failed = 0;
  for (int i = 2; i + 1 < argc; i += 2)
    failed += !record(&driver, argv[1], argv[i], argv[i + 1]);
  fprintf(stderr, "%d recorded, %d failed\n", (argc - 2) / 2 - failed, failed);
  return failed > 0;
}
