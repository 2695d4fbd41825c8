import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { DECLARATION_YAML, replaceFloats } from '../../benchmarks/declaration/read-declaration.ts'
import { parsedLine, parseYaml } from '../../cache/problems/yaml-document.ts'
import { packageRoot } from '../../cache/package-root.ts'

// Run by the build: node write-parsed.js FILE
const root = packageRoot()
const inFolder = (folder: string, ...rest: readonly string[]): readonly string[] =>
  readdirSync(join(root, folder))
    .toSorted()
    .map((name) => join(root, folder, name, ...rest))
    .filter((file) => file.endsWith('.yaml') && existsSync(file))

const benchmarks = inFolder('benchmarks/catalog', 'benchmark.yaml').map((file) => {
  const text = readFileSync(file, 'utf8')
  const { value } = parseYaml(text, file, { room: 'benchmarks', schema: DECLARATION_YAML })
  return parsedLine(text, 'benchmarks', value, replaceFloats)
})
const models = inFolder('models/catalog').map((file) => {
  const text = readFileSync(file, 'utf8')
  return parsedLine(text, 'models', parseYaml(text, file, { room: 'models' }).value)
})
// A fifth smaller than a tarball makes it; 1.5 ms to unpack.
writeFileSync(process.argv[2] ?? 'parsed.txt.br', brotliCompressSync([...benchmarks, ...models].join('')))
