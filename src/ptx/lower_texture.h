// The description of a texture in memory, which its handle is the address of. Internal to lower*.c.
#ifndef WARPSAN_PTX_LOWER_TEXTURE_H
#define WARPSAN_PTX_LOWER_TEXTURE_H

// Offsets in bytes.
enum {
  TEXTURE_BASE = 0, // 8 bytes: address of the first texel
  TEXTURE_TEXEL_BYTES = 8,
  TEXTURE_ELEMENT_BYTES = 12,
  TEXTURE_CHANNELS = 16,
  TEXTURE_IS_SIGNED = 20,
  TEXTURE_SIZES = 24, // of three dimensions, in texels
  TEXTURE_IS_FLOAT = 36,
  TEXTURE_DESCRIPTION_BYTES = 40,
};

#endif
