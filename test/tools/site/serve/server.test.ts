import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen } from '../../../../tools/site/serve/listen.ts'
import { isLoopback } from '../../../../tools/site/serve/respond.ts'
import { createSiteServer, DATA_POLICY } from '../../../../tools/site/serve/server.ts'
import { contentType, staticPath } from '../../../../tools/site/serve/static-path.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

describe('a path', () => {
  test('is read segment by segment, run names and all', () => {
    expect(staticPath('/runs/DEMO/a%3Ab%3Dc%2C/stats.json')).toEqual(['runs', 'DEMO', 'a:b=c,', 'stats.json'])
    expect(staticPath('/')).toEqual([''])
    expect(staticPath('/runs/')).toEqual(['runs', ''])
  })

  test('that leads outside, to hidden files or nowhere is none', () => {
    for (const path of [
      '/../etc/passwd',
      '/a/%2e%2e/b',
      '/a/..%2f..%2fetc/passwd',
      '/a%5c..%5cb',
      '/a%00.html',
      '//etc/passwd',
      '/a//b',
      '/.env',
      '/a/.git/config',
      '/%E0%A4%A',
    ])
      expect([path, staticPath(path)]).toEqual([path, undefined])
  })

  test('tells the type by its ending, and nothing of what it does not know', () => {
    expect(contentType('a/INDEX.HTML')).toBe('text/html; charset=utf-8')
    expect(contentType('stats.json')).toBe('application/json; charset=utf-8')
    expect(contentType('LICENSE')).toBe('application/octet-stream')
  })
})

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

describe('the server', () => {
  let port = 0
  const folder = temporaryFolder()
  const server = createSiteServer(
    [
      { prefix: '/benchmark_output/', folder: join(folder, 'out'), only: ['runs'], policy: DATA_POLICY },
      { prefix: '/', folder: join(folder, 'site'), policy: "default-src 'none'" },
    ],
    '127.0.0.1',
  )

  beforeAll(async () => {
    for (const path of ['site/runs', 'out/runs/DEMO', 'out/secret'])
      mkdirSync(join(folder, path), { recursive: true })
    writeFileSync(join(folder, 'site/index.html'), '<!doctype html>hello')
    writeFileSync(join(folder, 'site/empty.css'), '')
    writeFileSync(join(folder, 'out/runs/DEMO/stats.json'), '[]')
    writeFileSync(join(folder, 'out/secret/key'), 'secret')
    writeFileSync(join(folder, 'outside'), 'secret')
    symlinkSync(join(folder, 'outside'), join(folder, 'site/link'))
    port = await listen(server, { host: '127.0.0.1', port: 0, exact: true })
  })

  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Asks for a path as it stands: no client may tidy it up. */
  const ask = (path: string, method = 'GET', host = `localhost:${port}`): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path, method, headers: { host } }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (body += chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        )
      })
      asked.on('error', reject)
      asked.end()
    })

  test('gives the site and the files of runs, none of them to be kept or guessed at', async () => {
    expect(await ask('/')).toMatchObject({
      status: 200,
      body: '<!doctype html>hello',
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'",
      },
    })
    expect(await ask('/benchmark_output/runs/DEMO/stats.json?x=1')).toMatchObject({
      status: 200,
      body: '[]',
      headers: { 'content-security-policy': DATA_POLICY },
    })
    expect(await ask('/empty.css')).toMatchObject({ status: 200, body: '' })
  })

  test('gives nothing that lies elsewhere', async () => {
    for (const path of [
      '/../outside',
      '/%2e%2e/outside',
      '/runs/../../outside',
      '/link',
      '/benchmark_output/secret/key',
      '/benchmark_output/runs/../secret/key',
      '/missing',
    ])
      expect([path, (await ask(path)).status]).toEqual([path, 404])
  })

  test('leads to folders by their full address, and never to another host', async () => {
    expect(await ask('/runs')).toMatchObject({ status: 308, headers: { location: '/runs/' } })
    expect((await ask('//evil.example/')).status).toBe(404)
  })

  test('can only be read', async () => {
    expect(await ask('/', 'HEAD')).toMatchObject({ status: 200, body: '' })
    expect(await ask('/', 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
  })

  test('compresses as it is asked to, and sends nothing that is known already', async () => {
    const text = 'board '.repeat(2000)
    const file = join(folder, 'site/page.html')
    writeFileSync(file, text)
    const get = (headers: Readonly<Record<string, string>>, path = 'page.html'): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/${path}`, { headers })
    for (const encoding of ['br', 'gzip']) {
      const found = await get({ 'Accept-Encoding': encoding })
      expect([found.headers.get('content-encoding'), found.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      expect(await found.text()).toBe(text)
    }
    for (const [accepted, encoding] of [
      ['gzip;q=1.0, br;q=0.1', 'gzip'],
      ['br;q=0, *;q=0.5', 'gzip'],
      ['*', 'br'],
      ['br;q=nan, gzip', 'gzip'],
      ['*;q=0', null],
      ['deflate, zstd', null],
    ] as const)
      expect([
        accepted,
        (await get({ 'Accept-Encoding': accepted })).headers.get('content-encoding'),
      ]).toEqual([accepted, encoding])
    const plain = await get({ 'Accept-Encoding': 'br;q=0, identity' })
    expect([plain.headers.get('content-encoding'), plain.headers.get('content-length')]).toEqual([
      null,
      '12000',
    ])
    const small = await get({ 'Accept-Encoding': 'gzip' }, '')
    expect([small.headers.get('content-encoding'), small.headers.get('vary')]).toEqual([null, null])
    const tag = plain.headers.get('etag') ?? ''
    const again = await get({ 'If-None-Match': `"other", ${tag}`, 'Accept-Encoding': 'br' })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    writeFileSync(file, `${text}!`)
    const changed = await get({ 'If-None-Match': tag })
    expect([changed.status, await changed.text()]).toEqual([200, `${text}!`])
  })

  test('on a loopback address answers to loopback names only', async () => {
    expect((await ask('/', 'GET', 'evil.example')).status).toBe(403)
    expect((await ask('/', 'GET', '127.0.0.1.evil.example:80')).status).toBe(403)
    expect((await ask('/', 'GET', `[::1]:${port}`)).status).toBe(200)
    expect((await ask('/', 'GET', 'LocalHost')).status).toBe(200)
    expect(['localhost', '127.0.0.1', '127.9.9.9', '::1'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '127.evil.example', '10.0.0.1'].some(isLoopback)).toBe(false)
  })

  test('takes the next free port, or says that the named one is taken', async () => {
    const second = createSiteServer([], '127.0.0.1')
    const bound = await listen(second, { host: '127.0.0.1', port, exact: false })
    expect(bound).toBeGreaterThan(port)
    expect((second.address() as AddressInfo).port).toBe(bound)
    second.close()
    const third = createSiteServer([], '127.0.0.1')
    await expect(listen(third, { host: '127.0.0.1', port, exact: true })).rejects.toMatchObject({
      problems: [{ code: 'cli/port-taken' }],
    })
    await expect(listen(third, { host: '203.0.113.1', port: 0, exact: true })).rejects.toMatchObject({
      problems: [{ code: 'cli/bad-host' }],
    })
  })
})
