#ifndef CIC_HEIF_DATA_H
#define CIC_HEIF_DATA_H

#include "heif_items.h"

// The data of an item, which consists of one or more parts of the file (ISO/IEC 14496-12, 8.11.3).

// Computes the number of bytes. Returns a status other than CIC_OK, with a message, if the file does not have all of them.
cic_status cic_heif_measure_data(const struct heif_items *items, uint32_t id, uint64_t *count, char *message);

// Copies the bytes that cic_heif_measure_data counted. `bytes` must have room for them.
void cic_heif_copy_data(const struct heif_items *items, uint32_t id, uint8_t *bytes);

#endif
