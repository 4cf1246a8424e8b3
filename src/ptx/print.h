// Parts of a module as text, shared by the printer's files.
#ifndef WARPSAN_PTX_PRINT_H
#define WARPSAN_PTX_PRINT_H

#include "ptx/ptx.h"
#include "ptx/text.h"

typedef struct PtxPrinter {
  const PtxModule *module;
  PtxTextBuilder out;
} PtxPrinter;

void ptx_print_name(PtxPrinter *printer, Name name);
void ptx_print_operand(PtxPrinter *printer, const PtxOperand *operand);
void ptx_print_operands(PtxPrinter *printer, PtxRange range); // with ", " between them
// A declaration without its end; a parameter's, too.
void ptx_print_variable(PtxPrinter *printer, const PtxVariable *variable);
void ptx_print_attributes(PtxPrinter *printer, PtxRange attributes);
void ptx_print_parameters(PtxPrinter *printer, PtxRange parameters, const char *separator);
void ptx_print_directive(PtxPrinter *printer, const PtxDirective *directive);
void ptx_print_linkage(PtxPrinter *printer, PtxLinkage linkage);
void ptx_print_location(PtxPrinter *printer, const PtxLocation *location);
void ptx_print_statements(PtxPrinter *printer, PtxRange statements);

#endif
