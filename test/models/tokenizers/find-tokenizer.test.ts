import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findTokenizer } from '../../../models/tokenizers/tokenizer.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const fixture = join(import.meta.dirname, '../../fixtures/tokenizers/word-piece')
const className = 'helm.tokenizers.huggingface_tokenizer.HuggingFaceTokenizer'

const put = async (folder: string): Promise<string> => {
  await mkdir(dirname(folder), { recursive: true })
  await cp(fixture, folder, { recursive: true })
  return folder
}

describe('findTokenizer', () => {
  it('takes files placed by hand before those that an entry names, and those before the cache', async () => {
    const workspace = temporaryFolder()
    const hub = temporaryFolder()
    const places = { workspace, env: { HF_HUB_CACHE: hub } }
    const config = { name: 'own/model', className, path: 'some/folder' }
    expect(await findTokenizer('own/model', config, places)).toBeUndefined()

    const cache = join(hub, 'models--some--folder')
    const cached = await put(join(cache, 'snapshots/abc'))
    await mkdir(join(cache, 'refs'))
    await writeFile(join(cache, 'refs/main'), 'abc\n')
    expect((await findTokenizer('own/model', config, places))?.folder).toBe(cached)

    const named = await put(join(workspace, 'some/folder'))
    expect((await findTokenizer('own/model', config, places))?.folder).toBe(named)

    const placed = await put(join(workspace, 'models/tokenizers/own/model'))
    expect((await findTokenizer('own/model', config, places))?.folder).toBe(placed)
  })

  it('finds in the cache the commit of a branch, and one that is named itself', async () => {
    const hub = temporaryFolder()
    const places = { workspace: temporaryFolder(), env: { HF_HUB_CACHE: hub } }
    const cached = await put(join(hub, 'models--org--name', 'snapshots/0a1b2c'))
    const config = { name: 'org/name', className, revision: '0a1b2c' }
    expect((await findTokenizer('org/name', config, places))?.folder).toBe(cached)
    expect(await findTokenizer('org/name', { ...config, revision: 'main' }, places)).toBeUndefined()
  })

  it('gives another digest when either file changes', async () => {
    const workspace = temporaryFolder()
    const places = { workspace, env: {} }
    const folder = await put(join(workspace, 'models/tokenizers/own/model'))
    const first = await findTokenizer('own/model', undefined, places)
    await writeFile(join(folder, 'tokenizer_config.json'), '{}')
    const second = await findTokenizer('own/model', undefined, places)
    expect(second?.digest).not.toBe(first?.digest)
  })

  it("leaves classes that are not Hugging Face's to others", async () => {
    const workspace = temporaryFolder()
    await put(join(workspace, 'models/tokenizers/own/model'))
    const config = { name: 'own/model', className: 'helm.tokenizers.grok_tokenizer.GrokAPITokenizer' }
    expect(await findTokenizer('own/model', config, { workspace, env: {} })).toBeUndefined()
  })
})
