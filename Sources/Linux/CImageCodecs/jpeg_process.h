#ifndef CIC_JPEG_PROCESS_H
#define CIC_JPEG_PROCESS_H

#include "CImageCodecs.h"

// Returns false, with a message that names the process, if the JPEG uses a process that is not read here: lossless, hierarchical, JPEG-LS.
// libjpeg reports the number of the first ones, calls the last one damaged, and from libjpeg-turbo 3 on reads some of them, which cannot be
// reduced.
bool cic_jpeg_has_known_process(cic_input input, char *message);

#endif
