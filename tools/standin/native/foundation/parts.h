// Each part of Foundation defines its classes at load, NSObject first.
#pragma once

namespace standin {

void defineObject();
void defineText();
void defineNumber();
void defineCollections();
void defineError();
void defineProcess();

}  // namespace standin
