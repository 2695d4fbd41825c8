import type { Locator, Page } from 'playwright-core'

export type Act = (page: Page) => Promise<unknown>

/** A control and what is done before it, which is not timed. */
export type Use = Act | readonly [before: Act, act: Act]

// Labels hold their field; the options within would count as their text.
const field = (page: Page, label: string): Locator =>
  page
    .locator('label')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('select, input')
    .first()

// A reader's own keys fire timed events; a value set by script would not.
const choose =
  (label: string, presses: number): Act =>
  async (page) => {
    await field(page, label).focus()
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('ArrowDown')
  }
const click =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('button', { name }).first().click()
const write =
  (label: string, text: string): Act =>
  async (page) => {
    await field(page, label).focus()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }
const press =
  (...keys: readonly string[]): Act =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
const openCell: Act = (page) => page.locator('.board tbody td:not(.pin) button').first().click()
const openBenchmarks: Act = (page) => page.locator('summary', { hasText: '40 of 40' }).click()
const tick =
  (...places: readonly number[]): Act =>
  async (page) => {
    for (const at of places) await page.locator('details input[type=checkbox]').nth(at).click()
  }
const scroll =
  (selector: string): Act =>
  async (page) => {
    await page.locator(selector).first().hover()
    for (let step = 0; step < 12; step += 1) await page.mouse.wheel(0, 300)
  }

export const LEADERBOARD: Readonly<Record<string, Use>> = {
  'sort by model': click('Sort by Model'),
  'sort by win rate': click(/^Sort by Win rate/),
  'sort by cost': click(/^Sort by Cost/),
  'choose a task': choose('Task', 2),
  'choose by access': choose('Data', 2),
  'choose by hosting': choose('Hosting', 2),
  'filter by weights': choose('Weights', 1),
  'filter by creator': choose('Creator', 2),
  'limit the price': write('$ per 1,000', '40'),
  'limit the latency': write('Seconds', '2'),
  search: async (page) => {
    await page.getByLabel('Search models').focus()
    await page.keyboard.type('model 7')
  },
  reset: [choose('Task', 2), click('Reset')],
  pin: (page) => page.locator('.board tbody .pin button').first().click(),
  'unfold a category': click(/^Benchmarks of/),
  'open a cell': openCell,
  'close it': [openCell, press('Escape')],
  'go on by keys': async (page) => {
    await page.locator('.board tbody [tabindex="0"]').focus()
    await press('ArrowRight', 'PageDown', 'PageDown', 'End')(page)
  },
  scroll: scroll('.board-scroll'),
  'choose benchmarks': [openBenchmarks, tick(0, 1, 2)],
  'choose others while they are ranked': [
    openBenchmarks,
    (page) => tick(3)(page).then(() => tick(4, 5)(page)),
  ],
  'sort while they are ranked': [
    (page) => openBenchmarks(page).then(() => tick(6)(page)),
    click('Sort by Model'),
  ],
  'show all scores': (page) => page.locator('summary', { hasText: 'All scores' }).click(),
}

export const COMPARE: Readonly<Record<string, Use>> = {
  'other model A': choose('Model A', 1),
  'other model B': choose('Model B', 1),
  'swap A and B': click('Swap A and B'),
  'other benchmark': choose('Benchmark', 1),
  order: choose('Order', 1),
  'only different scores': choose('Show', 1),
}

export const FIGURES: Readonly<Record<string, Use>> = {
  'other axis': choose('Across', 1),
  'win rate of a task': choose('Up: win rate on', 1),
  'go from mark to mark': async (page) => {
    await page.locator('svg.drawing a').first().focus()
    await press('Tab', 'Tab', 'Tab')(page)
  },
}

export const INSTANCES: Readonly<Record<string, Use>> = {
  'show failed': choose('Show', 1),
  'order by score': choose('Order', 2),
  'score from': write('EM from', '1'),
  'more on a page': choose('On a page', 1),
  'search for an id': write('Id or text', 'id77'),
  'search for a text': write('Id or text', 'auscultation'),
  'next and previous': press('j', 'j', 'j', 'k'),
  flag: press('f'),
  scroll: scroll('.instance-list'),
}
