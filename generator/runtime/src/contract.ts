/**
 * The version of the interface between generated code and this package. Generated code imports the version that it
 * needs, so with another version of the package, compilers, bundlers and Node report that this name is missing: install
 * the version of ridlkit that generated the code, or generate the code again. Renamed with each incompatible change.
 */
export const generatedCodeV1 = true;
