import en from './en.json' with { type: 'json' }

/** What every language has to say. English is the original; its file decides which keys there are. */
export type Vocabulary = typeof en

export interface Language {
  /** BCP 47, as `Intl` and i18next understand it. */
  readonly code: string
  /** The names that Discord has for it. https://docs.discord.com/developers/reference#locales */
  readonly discord: readonly string[]
  readonly vocabulary: Vocabulary
}

/** To add a language: put its file beside `en.json`, and a line here. The first is what everybody else gets. */
export const languages = [
  { code: 'en', discord: ['en-US', 'en-GB'], vocabulary: en },
] as const satisfies readonly Language[]
