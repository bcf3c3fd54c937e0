import { isRightToLeft } from './direction.ts'
import { type Html, type HtmlPart, html } from './html.ts'
import { inlineFile, joinFiles } from './inline-file.ts'

/** The parts of a page that surround its body. */
export interface PageFrame {
  /** The page's language, as a BCP 47 tag. Default: English. */
  readonly language?: string
  readonly title: string
  /** Whether the page is hidden from search engines, as every page of one person must be. Default: true. */
  readonly hidden?: boolean
  /** Further content of the head: the style sheet, scripts, a refresh. */
  readonly head?: HtmlPart
  readonly bodyClass?: string
}

/** The style sheet of all pages. A page's own style sheet follows this one. */
export const BASE_STYLE = inlineFile(new URL('./base.css', import.meta.url))

/** The style sheet of a page with one card. A page's own style sheet follows this one. */
export const CARD_STYLE = joinFiles(BASE_STYLE, inlineFile(new URL('./card-page.css', import.meta.url)))

/** Builds a whole HTML document, for phones and desktops, light and dark. */
export function pageFrame({ language = 'en', title, hidden = true, head, bodyClass }: PageFrame, body: Html): Html {
  return html`<!doctype html>
<html lang="${language}"${isRightToLeft(language) && html` dir="rtl"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
${hidden && html`<meta name="robots" content="noindex">`}
<title>${title}</title>
${head}
</head>
<body${bodyClass !== undefined && html` class="${bodyClass}"`}>
${body}
</body>
</html>`
}
