import { html, type VNode } from '../html.ts'

/** A component of a message or a form, in Discord's own shape, as far as the page draws it. */
export interface Component {
  readonly type: number
  readonly id?: number
  readonly custom_id?: string
  readonly components?: readonly Component[]
  readonly component?: Component
  readonly accessory?: Component
  readonly style?: number
  readonly label?: string
  readonly description?: string | null
  readonly emoji?: { readonly name?: string | null; readonly id?: string | null }
  readonly url?: string
  readonly disabled?: boolean
  readonly content?: string
  readonly placeholder?: string
  readonly value?: string
  readonly required?: boolean
  readonly min_length?: number
  readonly max_length?: number
  readonly min_values?: number
  readonly max_values?: number
  readonly options?: readonly SelectOption[]
  readonly default_values?: readonly { readonly id: string }[]
  readonly media?: { readonly url: string }
  readonly items?: readonly { readonly media: { readonly url: string }; readonly description?: string | null }[]
  readonly file?: { readonly url: string }
  readonly divider?: boolean
  readonly spacing?: number
  readonly accent_color?: number | null
}

export interface SelectOption {
  readonly label: string
  readonly value: string
  readonly description?: string
  readonly default?: boolean
  readonly emoji?: { readonly name?: string | null }
}

/** Returns the texts of a message's components, in their order. */
export function textsOf({ components }: { readonly components: readonly unknown[] }): string[] {
  return (components as readonly Component[]).flatMap((each) => [
    ...(each.type === 10 && each.content !== undefined ? [each.content] : []),
    ...textsOf({ components: each.components ?? [] }),
  ])
}

export function emojiOf({ emoji }: Pick<Component, 'emoji'>): VNode | false {
  const name = emoji?.name
  if (name == null) return false
  return emoji?.id == null
    ? html`<span class="emoji" aria-hidden="true">${name}</span>`
    : html`<img class="custom-emoji" src=${`/cdn/emojis/${emoji.id}.png`} alt="" />`
}
