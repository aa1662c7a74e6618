/** Draws every picture of docs/images that shows a program: `npm run pictures`, after `npm run build`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { breakingPicture, devPicture, lintPicture, testPicture } from "./commands.ts";
import { platformPictures } from "./platform.ts";

const folder = fileURLToPath(new URL("../images/", import.meta.url));

const pictures = [
  lintPicture(),
  breakingPicture(),
  await testPicture(),
  await devPicture(),
  await platformPictures(folder),
];
for (const { file, svg } of pictures) writeFileSync(join(folder, file), svg);
