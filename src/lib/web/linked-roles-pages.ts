import type { Html } from './html.ts'

/** The pages on which a member lets Discord show what they gave: the bot draws them, the web server serves them. */
export interface LinkedRolesPages {
  /** Says what Discord will show. */
  intro(acceptLanguage: string | undefined): Html
  /** The page of Discord to go to, and what the browser keeps meanwhile; undefined while the bot is not connected. */
  begin(): { readonly url: string; readonly secret: string } | undefined
  /** A browser comes back from Discord. */
  finish(came: BackFromDiscord): Promise<{ readonly done: boolean; readonly page: Html }>
}

/** Query of a browser that comes back: Discord's parameters, and its own cookie. */
export interface BackFromDiscord {
  readonly code: string | undefined
  readonly state: string | undefined
  readonly error: string | undefined
  readonly secret: string | undefined
  readonly acceptLanguage: string | undefined
}
