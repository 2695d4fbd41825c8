import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { formsOf } from './page-forms.ts'
import { siteBrowser, unreached } from './site-browser.ts'
import { violations } from './violations.ts'
import { sketchSuite } from './sketch-site.ts'

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('forms of elements that were found sound', () => {
  const { urls, open } = siteBrowser(() => [sketchSuite()])

  /** Puts elements into a page, with the styles that they ask for: a page's policy forbids such attributes. */
  const put = (page: Page, html: string): Promise<unknown> =>
    page.evaluate(`(() => {
      const main = document.querySelector('main')
      main.innerHTML = ${JSON.stringify(html)}
      for (const each of main.querySelectorAll('[data-style]')) each.style = each.dataset.style
    })()`)

  const SOUND =
    '<h1>a</h1><h2>b</h2><button>Choose it</button><nav aria-label="d">e</nav><nav aria-label="f">g</nav><p id="h" class="i">j</p><ul><li>k</li></ul><input aria-labelledby="h"><p data-style="color: #000">letters <a href="#m">n</a></p>'

  test('are the same whatever the words, and others where axe would find a fault', async () => {
    const { page, close } = await open(`${urls().disk}index.html`)
    const formsWith = async (html: string): Promise<ReadonlySet<number>> => {
      await put(page, html)
      const { structure, looks } = await formsOf(page)
      return new Set([...structure, ...looks.map(({ look }) => look)])
    }
    const known = await formsWith(SOUND)
    const wordsAlone = await formsWith(
      '<h1>b</h1><h2>c</h2><button>Pick that</button><nav aria-label="e">f</nav><nav aria-label="g">h</nav><p id="x" class="i">k</p><ul><li>l</li><li>m</li></ul><input aria-labelledby="x"><p data-style="color: #000">n <a href="#o">p</a></p>',
    )
    expect([...wordsAlone].filter((form) => !known.has(form))).toEqual([])
    for (const html of [
      '<h1>a</h1><h3>b</h3>',
      '<h1>a</h1><h2></h2>',
      '<h1>a</h1><h2>b</h2><button></button>',
      '<h1>a</h1><h2>b</h2><nav aria-label="d">e</nav><nav aria-label="d">g</nav>',
      '<h1>a</h1><h2>b</h2><nav aria-label="">e</nav>',
      '<h1>a</h1><h2>b</h2><p id="h" class="i">j</p><p id="h" class="i">j</p>',
      '<h1>a</h1><h2>b</h2><p id="h" class="other">j</p>',
      '<h1>a</h1><h2>b</h2><ul></ul>',
      '<h1>a</h1><h2>b</h2><li>k</li>',
      '<h1>a</h1><h2>b</h2><input aria-labelledby="nobody">',
      ...['color: #eee', 'background: #333', 'opacity: 0.3', 'font-size: 3px'].map(
        (style) => `<h1>a</h1><h2>b</h2><p data-style="color: #000; ${style}">l</p>`,
      ),
      // Of what it stands on, and of the text around a link.
      '<h1>a</h1><div data-style="background: #333"><h2>b</h2></div>',
      '<h1>a</h1><h2>b</h2><p data-style="color: #00f">letters <a href="#m">n</a></p>',
    ])
      expect([...(await formsWith(html))].filter((form) => !known.has(form)).length, html).toBeGreaterThan(0)
    await close()
  })

  test('are other looks of the same structure in another theme, and the same ones in a window of another width', async () => {
    const { page, close } = await open(`${urls().disk}index.html`)
    await put(page, SOUND)
    const { structure, looks } = await formsOf(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await formsOf(page)
    expect(dark.structure).toEqual(structure)
    expect(dark.looks).not.toEqual(looks)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1000, height: 700 })
    expect(await formsOf(page)).toEqual({ structure, looks })
    await close()
  })

  test('hide no fault: axe names each that comes into a page of which all was sound', async () => {
    const { page, close } = await open(`${urls().disk}index.html`)
    await put(page, SOUND)
    expect(await violations(page)).toEqual([])
    expect(await unreached(page)).toEqual([])
    for (const [rule, html] of [
      ['button-name', SOUND.replace('Choose it', '')],
      ['color-contrast', SOUND.replace('color: #000', 'color: #eee')],
      ['landmark-unique', SOUND.replace('"f"', '"d"')],
      [
        'scrollable-region-focusable',
        `${SOUND}<div data-style="height: 2em; overflow: auto">a<br>b<br>c<br>d</div>`,
      ],
    ] as const) {
      await put(page, html)
      expect(await violations(page), rule).toEqual([expect.stringContaining(rule)])
    }
    await put(page, SOUND)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page), 'black on a dark ground').toEqual([
      expect.stringContaining('color-contrast'),
    ])
    await put(page, SOUND.replace(/<button>.*?<\/button>/, '<div inert>$&</div>'))
    expect(await unreached(page)).toEqual([expect.stringContaining('Choose it')])
    await close()
  })
})
