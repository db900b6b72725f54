import { buildImages, IMAGE_NAMES } from './build-images.js';

const MIB = 1024 * 1024;
const say = (sentence: string): void => void process.stderr.write(`catamaran images: ${sentence}\n`);

/** `npm run images`: builds the images as the Dockerfiles say, without engine and registry, and tells their sizes. */
try {
  const images = await buildImages({ env: process.env, say });
  for (const name of IMAGE_NAMES) {
    const { addedBytes, rootfs } = images[name];
    process.stdout.write(`${name}: ${Math.round(addedBytes / MIB)} MiB over its base, files in ${rootfs}\n`);
  }
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
