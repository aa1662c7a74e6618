// As on a machine where the optional packages of the local chain are not installed.
const Module = require("node:module");

const resolve = Module._resolveFilename;
Module._resolveFilename = function resolveFilename(request, ...rest) {
  if (!request.startsWith("@foundry-rs/")) return resolve.call(this, request, ...rest);
  throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
};
