/** Converts the `main` element of one of our own pages to Markdown. Supports only the tags that these pages use. */
export function markdownOf(page: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? ''
  const blocks: string[] = []
  // Code is left unchanged.
  const kept = main.replace(/<pre><code>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) => {
    blocks.push(`\`\`\`\n${plain(code)}\n\`\`\``)
    return `<p>⟦${blocks.length - 1}⟧</p>`
  })
  const text = kept
    .replace(/\s*\n\s*/g, ' ')
    .replace(/<table>([\s\S]*?)<\/table>/g, (_, table: string) => tableOf(table))
    .replace(/<h([12])[^>]*>(.*?)<\/h\1>/g, (_, level: string, words: string) => {
      return `\n\n${'#'.repeat(Number(level))} ${inline(words)}\n\n`
    })
    .replace(/<summary>(.*?)<\/summary>/g, (_, words: string) => `\n\n${inline(words)}:\n\n`)
    .replace(/<li[^>]*>(.*?)<\/li>/g, (_, words: string) => `\n- ${inline(words)}`)
    .replace(/<p[^>]*>(.*?)<\/p>/g, (_, words: string) => `\n\n${inline(words)}\n\n`)
  const whole = text.replace(/<\/?(?:section|div|details|ul|ol)[^>]*>/g, '\n\n').replace(/\n[ \t]*\n\s*/g, '\n\n')
  return `${whole.replace(/⟦(\d+)⟧/g, (_, number: string) => blocks[Number(number)] ?? '').trim()}\n`
}

function tableOf(table: string): string {
  const caption = /<caption>(.*?)<\/caption>/.exec(table)?.[1]
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => inline(cell).replaceAll('|', '\\|')),
  )
  const [head = [], ...others] = rows
  const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`)
  return `\n\n${caption === undefined ? '' : `**${inline(caption)}**\n\n`}${lines.join('\n')}\n\n`
}

function inline(words: string): string {
  const marked = words
    .replace(/<code>(.*?)<\/code>/g, '`$1`')
    .replace(/<b[^>]*>(.*?)<\/b>/g, '**$1**')
    .replace(/<small>(.*?)<\/small>/g, '($1)')
    .replace(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
  return plain(marked).trim()
}

function plain(text: string): string {
  return text.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
