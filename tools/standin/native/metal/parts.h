// Each part of Metal defines its classes at load, after Foundation.
#pragma once

namespace standin {

void defineDevice();
void defineBuffer();
void defineHeap();
void defineCompileOptions();
void defineLibrary();
void definePipeline();
void defineQueue();
void defineCommandBuffer();
void defineEncoder();
void defineComputeEncoder();
void defineBlitEncoder();
void defineResidencySet();
void defineCapture();

}  // namespace standin
