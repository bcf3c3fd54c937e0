import { readSentences, type Sentences } from '../../src/bot/i18n/languages.ts'
import { isSpoken } from '../../src/payments-service/wallet-page/i18n/languages.ts'
import { readTexts } from '../../src/payments-service/wallet-page/i18n/translator.ts'
import { flatten } from './sentences.ts'

/**
 * A term, as the keys of the texts that show it: one of the bot's and, if the wallet page uses the term, one of that
 * page's.
 */
interface Term {
  readonly bot: string
  readonly wallet?: string
}

/**
 * The terms that members meet most. In each language, these texts themselves define its word for the term, so no
 * separate list can differ from them.
 */
export const TERMS: Readonly<Record<string, Term>> = {
  tip: { bot: 'help.tips.title' },
  balance: { bot: 'commands.balance.name', wallet: 'home.balance' },
  wallet: { bot: 'commands.wallet.name', wallet: 'parts.home' },
  deposit: { bot: 'commands.deposit.name' },
  withdraw: { bot: 'commands.withdraw.name' },
  invoice: { bot: 'payPage.invoice', wallet: 'charge.invoice' },
  fee: { bot: 'voucher.fee', wallet: 'send.fee' },
  note: { bot: 'commands.tip.options.note.name', wallet: 'receive.note' },
  voucher: { bot: 'commands.voucher.name', wallet: 'items.voucher' },
  drop: { bot: 'commands.drop.name' },
  giveaway: { bot: 'commands.giveaway.name' },
  pool: { bot: 'commands.pool.name' },
  reward: { bot: 'commands.reward.name' },
  rule: { bot: 'commands.rule.name' },
  receipt: { bot: 'paymentReceipt.title' },
  operator: { bot: 'admin.theOperator' },
}

/**
 * Second words for one thing, which a language's texts once had and must not have again. The first words are in the
 * comments.
 */
const REFUSED: Readonly<Record<string, readonly RegExp[]>> = {
  en: [/account at the Lightning/, /linked accounts/, /\bgamertag\b/i, /Root of all/], // wallet, wallet name, fingerprint
  de: [/Konto beim Lightning/, /verbundene Konten/, /Giveaway|Gewinnspiel/, /Kasse/, /Wurzel/], // Wallet, Verlosung, Pool, Fingerabdruck
  es: [/cuentas? (?:del servicio|vinculadas)/, /\bmonto\b/i, /Raíz/, /Programación/, /apartad/i], // billetera, cantidad, huella, programa, reservado
  fr: [
    /comptes? (?:chez|liés)/,
    /\b[Uu]ne note\b|\btes notes\b/,
    /concours/,
    /Racine/,
    /pourboire/i,
    /Programmation/,
    /QR code/,
  ], // portefeuille, mot, giveaway, empreinte, tip, programme, code QR
  it: [/account (?:presso|collegati)/, /gestore/, /Radice/, /Programmazione/, /Raccolta/], // wallet, operatore, impronta, programma, colletta
  pt: [/contas? (?:no serviço|vinculadas)/, /\bnotas?\b/i, /Raiz/, /Arrecadação/, /Agendas/], // carteira, recado, impressão digital, vaquinha, agendamento
  nl: [
    /accounts? bij de/,
    /notitie/i,
    /verloting|weggeef/i,
    /invoice/i,
    /Wortel/,
    /\bfooi/i,
    /trekking/i,
    /[Pp]lanning/,
  ], // wallet, berichtje, giveaway, factuur, vingerafdruk, tip, loting, schema
  pl: [/kont[oa] w usłudze/, /notatk/i, /Korzeń/, /\bsat(?:y|ów|sy|sów|oshi)\b/i, /testow[eya]\w* sats?/], // portfel, notka, odcisk, sats, test-sats
  ru: [
    /аккаунт[а-я]* в Lightning/,
    /заметк/i,
    /Корень/,
    /(?<!\p{L})сат(?:оши|ы|ов|ах)(?!\p{L})/iu,
    /таблиц[а-я]* лидеров/i,
    /тестов(?:ы[ейх]|ых) sats?/,
  ], // кошелёк, записка, отпечаток, sats, рейтинг, тест-sats
  uk: [
    /акаунт[а-я]* в Lightning/,
    /нотатк/i,
    /Корінь/,
    /(?<!\p{L})сат(?:оші|и|ів|ах)(?!\p{L})/iu,
    /таблиц[а-яі]* лідерів/i,
    /тестов(?:ий|і|их) sats?/,
  ], // гаманець, записка, відбиток, sats, рейтинг, тест-sats
  tr: [
    /servisindeki her hesap/,
    /bağlı hesaplar/,
    /[iİ]şlet(?:en|meci)/i,
    /\bkök/i,
    /Lightning hizmet/,
    /Bağış toplama/,
    /Zamanlama/,
  ], // cüzdan, operatör, parmak izi, Lightning servisi, kampanya, takvim
  id: [
    /[Aa]kun (?:di layanan|mana pun di|tertaut)/,
    /invoice/i,
    /\bsaya\b/i,
    /Akar/,
    /\bchannel\b/i,
    /\bperan\b/i,
    /Penggalangan/,
  ], // dompet, tagihan, aku, sidik jari, kanal, role, patungan
  hi: [/सेवा का कोई भी खाता/, /लिंक किए खाते/, /संचालक/, /रूट/, /शेड्यूल/], // वॉलेट, ऑपरेटर, फ़िंगरप्रिंट, समयसूची
  ja: [/サービスのどのアカウント/, /連携アカウント/, /メモ/, /ルート/, /請求書/, /サトシ/], // ウォレット, ひとこと, ハッシュ値, インボイス, sats
  ko: [/연동한 계정/, /\*\* 계정으로/, /서버 풀/, /디스코드/, /제공자/, /sats/], // 지갑, 기금, Discord, 라이트닝 서비스, 사토시
  zh: [/服务上的任何账户/, /关联账户/, /备注/, /的根|根：/, /聪/, /闪电/], // 钱包, 留言, 指纹, sats, Lightning
  vi: [
    /tài khoản (?:nào )?(?:ở dịch vụ|liên kết)/i,
    /bên vận hành/,
    /(?:^|[.:?!]\s+)Tôi /,
    /rút thăm/,
    /nhà cung cấp/i,
  ], // ví, người vận hành, mình, bốc thăm, dịch vụ Lightning
  th: [/ผู้ชนะ/, /ซีด/, /ขีดจำกัด/, /ที่อยู่ Bitcoin/, /ราก:|^ราก/], // ผู้โชคดี, seed, วงเงิน, แอดเดรส, ลายนิ้วมือ
}

/** Returns a language's word for a term, as its texts have it; for a command, the name without hyphens. */
export function wordOf(term: string, code: string): string {
  const text = flatten(readSentences(code)).get(TERMS[term]?.bot ?? '') ?? ''
  return text.replace(/[:：\s]*\{\{.*$/, '').replaceAll('-', ' ')
}

/** Returns the places where a language has two words for one thing, as sentences; empty if there are none. */
export function termFaults(code: string): string[] {
  const bot = flatten(readSentences(code))
  const wallet = isSpoken(code) ? flatten(readTexts(code) as unknown as Sentences) : new Map<string, string>()
  const differing = Object.entries(TERMS).flatMap(([term, { wallet: key }]) => {
    const [word, said] = [wordOf(term, code), key === undefined ? '' : (wallet.get(key) ?? '')]
    return key === undefined || isPartOf(word, said)
      ? []
      : [`${term}: the bot says “${word}”, the wallet page “${said}” (${key})`]
  })
  const refused = [...bot, ...wallet].flatMap(([key, text]) =>
    (REFUSED[code] ?? [])
      .filter((word) => word.test(plain(text)))
      .map((word) => `${key}: ${word} says one thing in another way`),
  )
  return [...differing, ...refused]
}

/** Removes code and placeholders, which are not a language's words. */
function plain(text: string): string {
  return text.replaceAll(/`[^`]*`|\{\{[^}]*\}\}/g, '')
}

function isPartOf(word: string, text: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase())
}

/** Returns the words to use in a translation, a term on each line: the English word, and the language's. */
export function wordList(code: string): string {
  return Object.keys(TERMS)
    .map((term) => `${term}: ${wordOf(term, code)}`)
    .join('\n')
}
