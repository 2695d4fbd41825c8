import { realpathSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { Loader, OnLoadArgs, OnLoadResult, PluginBuild } from 'esbuild'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readFile } from '../files/read.ts'
import { temporaryFolder } from '../files/write.ts'
import { packageRoot } from '../package-root.ts'
import { isProgram } from './code-files.ts'

/**
 * Imports a piece of a user's TypeScript: bundled with all that it imports into one file, which is gone once it is
 * loaded. `medmake` is this very package, whether or not the workspace has it installed.
 *
 * @param refuse is given files of the user's that the bundle holds and `watched` does not: nothing would see their
 * changes. It throws
 */
export const importBundled = async (
  entry: string,
  watched: ReadonlySet<string>,
  refuse: (file: string) => never,
): Promise<unknown> => {
  const { build } = await import('esbuild')
  const url = pathToFileURL(entry).href
  // esbuild would go by the folder that the process was in when it was loaded, and take a `*` in its name for a pattern.
  const absWorkingDir = realpathSync(dirname(entry))
  const { outputFiles, metafile } = await build({
    absWorkingDir,
    entryPoints: [`./${basename(entry)}`],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // A tsconfig.json changes what code means, and is part of no digest; Node goes by none either.
    tsconfigRaw: '{}',
    sourcemap: 'inline',
    logLevel: 'silent',
    define: { 'import.meta': META, __dirname: `${META}.dirname`, __filename: `${META}.filename` },
    plugins: [{ name: 'places', setup }],
    footer: { js: `//# sourceURL=${url}?code=bundled` },
    banner: {
      js: `import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(${JSON.stringify(url)})`,
    },
  })
  for (const input of Object.keys(metafile.inputs)) {
    const file = realpathSync(resolve(absWorkingDir, input))
    if (!watched.has(file) && !isProgram(file) && !file.split(sep).includes('node_modules')) refuse(file)
  }
  const folder = temporaryFolder('code')
  try {
    const file = join(folder, 'code.mjs')
    await writeFile(file, outputFiles[0]?.contents ?? '')
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as unknown
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const setup = (build: PluginBuild): void => {
  // No alias, which esbuild would read a pattern or the end of a path from where a folder is named by `*` or `?`.
  build.onResolve({ filter: /^medmake$/ }, () => ({ path: join(packageRoot(), 'dist', 'api', 'index.js') }))
  build.onLoad({ filter: CODE }, inPlace)
}

const META = 'medmakeImportMeta'
const CODE = /\.[cm]?([jt]sx?)$/

/** It runs from a folder of its own, and each file still is what lies in the workspace. */
const inPlace = async ({ path }: OnLoadArgs): Promise<OnLoadResult | undefined> => {
  const text = await readFile(path, 'utf8')
  if (!/import\.meta|__dirname|__filename/.test(text)) return undefined
  const meta = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return {
    contents: `const ${META} = ${JSON.stringify(meta)};${text.replace(/^#!.*/, '')}`,
    // Its filter let through these endings alone, which are names of loaders.
    loader: CODE.exec(path)?.[1] as Loader,
  }
}
