import { type Form, type JsonObject, lengthOf, type Path } from './form.ts'

const maxEmbeds = 10
const maxCharacters = 6000
const link = ['http', 'https']
const picture = ['http', 'https', 'attachment']

/**
 * Checks a message's embeds and returns them as Discord would store them: without unknown keys, and with `type: rich`.
 * The limits: https://docs.discord.com/developers/resources/message#embed-object-embed-limits
 */
export function checkEmbeds(form: Form, body: JsonObject): JsonObject[] | undefined {
  const embeds = form.objects(body, 'embeds', [], { max: maxEmbeds })
  if (embeds === undefined) return undefined
  const checked = embeds.map(([embed, path]) => checkEmbed(form, embed, path))
  let characters = 0
  for (const embed of checked) characters += charactersOf(embed)
  if (characters > maxCharacters)
    form.fault(['embeds'], 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${maxCharacters}`)
  return checked
}

function checkEmbed(form: Form, embed: JsonObject, at: Path): JsonObject {
  const fields = form.objects(embed, 'fields', at, { max: 25 })
  const footer = form.object(embed, 'footer', at)
  const author = form.object(embed, 'author', at)
  const checked = without({
    type: 'rich',
    title: form.text(embed, 'title', at, { max: 256 }),
    description: form.text(embed, 'description', at, { max: 4096 }),
    url: form.url(embed, 'url', at, link),
    color: form.integer(embed, 'color', at, { min: 0, max: 0xff_ff_ff }),
    timestamp: timestamp(form, embed, at),
    fields: fields?.map(([field, path]) => ({
      name: form.text(field, 'name', path, { max: 256, required: true }) ?? '',
      value: form.text(field, 'value', path, { max: 1024, required: true }) ?? '',
      inline: form.boolean(field, 'inline', path) ?? false,
    })),
    footer:
      footer &&
      without({
        text: form.text(footer, 'text', [...at, 'footer'], { max: 2048, required: true }),
        icon_url: form.url(footer, 'icon_url', [...at, 'footer'], picture),
      }),
    author:
      author &&
      without({
        name: form.text(author, 'name', [...at, 'author'], { max: 256, required: true }),
        url: form.url(author, 'url', [...at, 'author'], link),
        icon_url: form.url(author, 'icon_url', [...at, 'author'], picture),
      }),
    image: media(form, embed, 'image', at),
    thumbnail: media(form, embed, 'thumbnail', at),
  })
  const shown = ['title', 'description', 'fields', 'footer', 'author', 'image', 'thumbnail']
  if (!shown.some((key) => checked[key] !== undefined && checked[key] !== ''))
    form.fault([...at, 'description'], 'BASE_TYPE_REQUIRED', 'This field is required')
  return checked
}

function media(form: Form, embed: JsonObject, key: string, at: Path): JsonObject | undefined {
  const value = form.object(embed, key, at)
  if (value === undefined) return undefined
  return without({ url: form.url(value, 'url', [...at, key], picture, { required: true }) })
}

function timestamp(form: Form, embed: JsonObject, at: Path): string | undefined {
  const value = form.text(embed, 'timestamp', at, { max: 64 })
  if (value === undefined) return undefined
  if (!Number.isNaN(Date.parse(value))) return new Date(value).toISOString()
  form.fault([...at, 'timestamp'], 'DATE_TIME_TYPE_PARSE', `Could not parse ${value}. Should be ISO8601.`)
  return undefined
}

/**
 * Counts the characters of an embed's title, description, fields, footer and author. In all embeds of a message
 * together, at most 6000 are allowed.
 */
function charactersOf(embed: JsonObject): number {
  const texts: unknown[] = [embed.title, embed.description]
  for (const field of (embed.fields ?? []) as JsonObject[]) texts.push(field.name, field.value)
  texts.push((embed.footer as JsonObject | undefined)?.text, (embed.author as JsonObject | undefined)?.name)
  let characters = 0
  for (const text of texts) if (typeof text === 'string') characters += lengthOf(text)
  return characters
}

/**
 * Returns an object without the keys whose value is `undefined`. Discord omits absent keys, so they must not become
 * `null`.
 */
function without(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined))
}
