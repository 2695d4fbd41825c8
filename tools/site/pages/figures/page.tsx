import type { SitePage } from '../../site-page.ts'

/** figures.html: what the board shows, drawn. */
export const figuresPage: SitePage = {
  label: 'Figures',
  path: 'figures.html',
  isIn: () => false,
  files: () => [],
}
