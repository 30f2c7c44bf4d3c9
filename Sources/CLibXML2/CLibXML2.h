// The library of XML and XPath: Debian's libxml2-dev, Homebrew's libxml2.
#ifndef BACKLOT_CLibXML2_H
#define BACKLOT_CLibXML2_H

#include <libxml/xmlversion.h>
// With it, headers of the system's ICU would come along, which contradict those of Foundation's.
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

// The library frees memory by a variable, which Swift takes for shared state.
static inline void backlot_xml_free(void *memory) { xmlFree(memory); }

#endif
