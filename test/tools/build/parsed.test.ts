import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  DECLARATION_YAML,
  replaceFloats,
  reviveFloats,
} from '../../../benchmarks/declaration/read-declaration.ts'
import { parsedLine, parseYaml } from '../../../cache/problems/yaml-document.ts'
import { packageRoot } from '../../../cache/package-root.ts'

const read = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8')
const lines = (): readonly string[] =>
  brotliDecompressSync(readFileSync(join(packageRoot(), 'dist/parsed.txt.br')))
    .toString()
    .split('\n')
    .slice(0, -1)

describe("our own YAML files, as the build's bundle holds them", () => {
  const names = readdirSync(join(packageRoot(), 'benchmarks/catalog')).filter((name) => !name.includes('.'))

  it.each(names)('holds what %s declares, floats told from whole numbers', (name) => {
    const text = read(`benchmarks/catalog/${name}/benchmark.yaml`)
    const { value } = parseYaml(text, name, { room: 'benchmarks', schema: DECLARATION_YAML })
    const line = parsedLine(text, 'benchmarks', value, replaceFloats)
    expect(lines()).toContain(line.trimEnd())
    expect(JSON.parse(line.slice(line.indexOf(' ')), reviveFloats)).toStrictEqual(value)
  })

  it('holds the models and nothing else', () => {
    const files = readdirSync(join(packageRoot(), 'models/catalog')).filter((file) => file.endsWith('.yaml'))
    for (const file of files) {
      const text = read(`models/catalog/${file}`)
      const { value } = parseYaml(text, file, { room: 'models' })
      const line = parsedLine(text, 'models', value)
      expect(lines()).toContain(line.trimEnd())
      expect(JSON.parse(line.slice(line.indexOf(' ')))).toStrictEqual(value)
    }
    expect(lines()).toHaveLength(names.length + files.length)
  })
})
