import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonSchemas } from './json-schemas.ts'

// Run by the build: node write-schemas.js FOLDER
const folder = process.argv[2] ?? '.'
mkdirSync(folder, { recursive: true })
for (const [name, schema] of Object.entries(jsonSchemas()))
  writeFileSync(join(folder, `${name}.schema.json`), `${JSON.stringify(schema)}\n`)
