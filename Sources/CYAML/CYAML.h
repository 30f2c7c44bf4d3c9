// The library of YAML: Debian's libyaml-dev, Homebrew's libyaml.
#ifndef BACKLOT_CYAML_H
#define BACKLOT_CYAML_H

#include <yaml.h>

#endif
