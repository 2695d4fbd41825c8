import { createElement, render, type FunctionComponent } from 'preact'
import type { UrlFields } from '../url-state.ts'
import { boundUrlState, type BoundUrlState } from './bound-url-state.ts'
import { loadChunk } from './chunks.ts'
import type { StartApp } from './start-page.ts'

/** What an app draws: a chunk of data, as its reader asks. */
export interface BoundProps<Data, Fields extends UrlFields> {
  readonly data: Data
  /** Prefix that leads to the site's root. */
  readonly root: string
  readonly bound: BoundUrlState<Fields>
}

/** Draws the chunk that its part of the page names. Where that can't be loaded the part stays as it is. */
export const boundApp =
  <Data, Fields extends UrlFields>(
    defaults: Fields,
    App: FunctionComponent<BoundProps<Data, Fields>>,
  ): StartApp =>
  async (part) => {
    const { folder: root = '', chunk = '' } = part.dataset
    const data = (await loadChunk(`${root}data/`, chunk)) as Data
    const bound = boundUrlState(defaults)
    bound.follow()
    part.replaceChildren()
    render(createElement(App, { data, root, bound }), part)
  }
