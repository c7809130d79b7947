#ifndef CIC_JPEG_PROCESS_H
#define CIC_JPEG_PROCESS_H

#include "CImageCodecs.h"

// Returns false, with a message that names the coding process, if the JPEG uses a process that is not supported: lossless, hierarchical, or
// JPEG-LS. libjpeg's own checks are not enough. For lossless and hierarchical files, libjpeg reports only the number of the process. It
// reports JPEG-LS files as damaged. From version 3 on, libjpeg-turbo reads some of these files, but cannot reduce them.
bool cic_jpeg_has_known_process(cic_input input, char *message);

#endif
