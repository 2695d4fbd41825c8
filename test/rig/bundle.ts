import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { packageRoot } from '../../cache/package-root.ts'

/** Bundles a TypeScript program of the tests so that plain `node` can run it; gives the bundle's path. */
export const bundleProgram = async (source: string): Promise<string> => {
  const name = createHash('sha256').update(source).update(String(process.pid)).digest('hex').slice(0, 16)
  // Inside the package, so that the bundle finds the packages it leaves outside.
  const outfile = join(packageRoot(), 'node_modules', '.cache', 'medmake-test', `${name}.mjs`)
  await build({
    // esbuild would go by the folder that the process was in when it was loaded: one of a test that is gone.
    absWorkingDir: packageRoot(),
    entryPoints: [source],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}
