// Preloaded: folders list their files in the reverse order, as another file system may.
const fs = require("node:fs");

const { readdirSync } = fs;
fs.readdirSync = (...args) => readdirSync(...args).reverse();
require("node:module").syncBuiltinESMExports();
