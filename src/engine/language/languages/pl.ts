import { type LanguageData, phrases } from './language-data.ts';

export const polish: LanguageData = {
  tag: 'pl',
  backchannels: phrases(`
    tak, tak tak, no, no tak, no dobra, no właśnie, no jasne, ok, okej, okay, dobra, dobrze,
    bardzo dobrze, jasne, oczywiście, rozumiem, zrozumiałem, zrozumiałam, aha, acha, mhm, yhy, hm,
    hmm, mm, ah, oh, o, ach, ach tak, aha okej, super, świetnie, fajnie, ekstra, wspaniale,
    doskonale, idealnie, znakomicie, pewnie, pewno, na pewno, właśnie, dokładnie, zgadza się,
    zgoda, racja, ma pan rację, ma pani rację, prawda, to prawda, naprawdę, serio, poważnie,
    co ty, co pan mówi, nie mów, niemożliwe, nieźle, nie ma problemu, nie ma sprawy, nie szkodzi,
    spoko, w porządku, wiem, wiadomo, dziękuję, dziękuję bardzo, dzięki, ciekawe, interesujące,
    absolutnie, bez wątpienia, ma sens, to ma sens, brzmi dobrze, dobry pomysł, no proszę,
    coś takiego`),
  stopPhrases: phrases(`
    stop, stój, czekaj, poczekaj, proszę czekać, proszę poczekać, zaczekaj, chwila, chwilę,
    chwileczkę, chwileczka, moment, momencik, sekundę, sekunda, sekundkę, minutę, minutkę,
    jedną chwilę, nie, nie nie, przepraszam, wybacz, pardon, właściwie, słuchaj, proszę posłuchać,
    cisza, cicho, dość, dosyć, wystarczy, przestań, proszę przestać, anuluj, halo, spokojnie,
    wolniej, powoli, nie tak szybko, słucham, mogę, proszę mi przerwać, jedno pytanie, mam pytanie`),
  refusals: phrases(`
    nie, nic, nigdy, żaden, żadna, żadne, ale, źle, błąd, błędnie, inny, inna, inne, inaczej,
    zamiast, jeszcze raz, ponownie, powtórz, powtórzyć, następny, następna, dalej, wróć, cofnij,
    pomoc, pomocy, ktoś, kogoś, człowiek, człowiekiem, konsultant, konsultantem, osoba, głośniej,
    ciszej, szybciej, szybko, krócej, zapomnij, zmień, zmienić, zostaw, chcę, chciałbym,
    chciałabym, potrzebuję, mam, daj, proszę, powiedz, może pan, może pani, czy mogę, mój, moja,
    moje, moją, do widzenia, pa, i, albo, lub, jeśli, bo, kiedy`),
  stopStems: phrases(`
    czeka, poczeka, zaczeka, przesta, przerw, przepras, wybacz, słucha, posłucha, anul, wystarcz,
    cisz, cich, chwil, moment, sekund, minut, dość, dosyć`),
  hesitations: phrases('eee, yyy, eh, ee, yy, em, ym, hm, mm, ehm'),
  markers: phrases(
    'no więc, więc, znaczy, to znaczy, wiesz, wie pan, wie pani, jakby, po prostu, tak jakby, w sumie, no',
  ),
  timeouts: phrases(`
    zaraz, zaraz zaraz, niech pomyślę, niech się zastanowię, niech sprawdzę, zobaczmy,
    jak to powiedzieć, jak to się mówi, chwileczkę, chwilę, moment, momencik, sekundę,
    już sprawdzam, już patrzę, nie przepraszam, przepraszam nie, a nie, to znaczy nie,
    albo raczej, czy raczej`),
  openEnders: phrases(`
    i, oraz, a, ale, albo, lub, czy, bo, ponieważ, że, żeby, aby, jeśli, jeżeli, kiedy, gdy,
    gdzie, jak, jako, który, która, które, chociaż, dopóki, aż, w, we, na, do, od, z, ze, za, po,
    przy, przez, dla, bez, o, u, pod, nad, przed, między, ku, mój, moja, moje, mojego, mojej,
    mój numer, twój, nasz, nasza, jego, jej, ich, swój, ten, ta, to, tego, jestem, jest, są, był,
    była, mam, chcę, chciałbym, chciałabym, potrzebuję, czy może pan, czy może pani, czy mogę,
    nazywam się, mam na imię, bardzo, też, także, może, nie, numer`),
  mayClose: phrases(`
    mój, moja, moje, twój, nasz, jego, jej, ich, ten, ta, to, tego, jestem, jest, są, był, była,
    mam, chcę, potrzebuję, bardzo, też, także, może, nie, numer, jak, a, o`),
  digits: phrases(
    'zero, jeden, jedna, dwa, dwie, trzy, cztery, pięć, sześć, siedem, osiem, dziewięć',
  ),
  phoneDigits: 9,
  numbers: phrases(`
    zero, jeden, dwa, trzy, cztery, pięć, sześć, siedem, osiem, dziewięć, dziesięć, jedenaście,
    dwanaście, trzynaście, czternaście, piętnaście, szesnaście, siedemnaście, osiemnaście,
    dziewiętnaście, dwadzieścia, trzydzieści, czterdzieści, pięćdziesiąt, sześćdziesiąt,
    siedemdziesiąt, osiemdziesiąt, dziewięćdziesiąt, sto, dwieście, trzysta, czterysta, pięćset,
    sześćset, siedemset, osiemset, dziewięćset, tysiąc, tysiące, milion, przecinek, plus, myślnik,
    jedna, dwie`),
  machinePhrases: phrases(`
    zostaw wiadomość, proszę zostawić wiadomość, zostaw wiadomość po sygnale, po sygnale,
    po usłyszeniu sygnału, poczta głosowa, skrzynka głosowa, automatyczna sekretarka, abonent,
    jest niedostępny, nie może odebrać, wybierz jeden, naciśnij 1, dodzwoniłeś się,
    dodzwonili się państwo`),
  holdPhrases: phrases(`
    proszę czekać na połączenie, proszę pozostać na linii, proszę się nie rozłączać,
    pozostań na linii, wszystkie linie są zajęte, wszyscy konsultanci są zajęci,
    państwa rozmowa jest ważna`),
  greetings: phrases(`
    halo, cześć, hej, dzień dobry, dobry wieczór, witam, tak, tak słucham, słucham, no halo,
    jest tam kto, czy mnie słychać`),
  shortAnswers: phrases(`
    tak, nie, jasne, oczywiście, dobrze, dobra, ok, okej, zgadza się, dokładnie, pewnie,
    tak proszę, nie dziękuję, dziękuję, dzięki, proszę, może, nigdy, jeszcze nie, to wszystko,
    nic więcej, już nic, w porządku, chętnie, poproszę`),
  yesNoStarts: phrases('czy, prawda, zgadza się, tak, dobrze, w porządku'),
  questionStarts: phrases(`
    czy, co, kto, gdzie, kiedy, jak, dlaczego, czemu, który, która, które, jaki, jaka, jakie, ile,
    skąd, dokąd, o której`),
  dictation: {
    phone: phrases(`
      numer telefonu, telefon, telefonu, numer komórki, numer kontaktowy, pana numer, pani numer,
      twój numer`),
    card: phrases(
      'numer karty, karty kredytowej, karta kredytowa, numer konta, numer rachunku, iban',
    ),
    code: phrases(`
      kod, kod pocztowy, numer zamówienia, numer klienta, numer rezerwacji, numer referencyjny,
      numer sprawy, numer umowy, numer przesyłki, pesel, nip, pin, hasło`),
    email: phrases('email, e-mail, mail, adres mailowy, adres e-mail, poczta elektroniczna'),
    birth: phrases('data urodzenia, datę urodzenia, urodzony, urodzona, urodził, urodziła'),
    date: phrases('jaka data, jaką datę, który dzień, jaki dzień, którego'),
    spelling: phrases('przeliterować, przeliteruj, literować, literuj'),
    asking: phrases(`
      jaki, jaka, jaką, jakie, który, czy, może, proszę, podać, podaj, podanie, powiedzieć,
      poproszę, potrzebuję, przeliterować, przeliteruj, powtórzyć`),
  },
  announcing: phrases(`
    zadzwonić, oddzwonić, proszę dzwonić, dzwonić pod, zadzwonić pod, pod numerem, mój numer,
    mój numer to, numer to, mój telefon, moja komórka, mój telefon to`),
  emailAt: phrases('małpa, at'),
  emailDot: phrases('kropka'),
  months: phrases(`
    styczeń, stycznia, luty, lutego, marzec, marca, kwiecień, kwietnia, maj, maja, czerwiec,
    czerwca, lipiec, lipca, sierpień, sierpnia, wrzesień, września, październik, października,
    listopad, listopada, grudzień, grudnia`),
  takenOver: 'Przepraszam, połączenie na chwilę się urwało.',
  lines: {
    apology: 'Przepraszam, wystąpił problem po mojej stronie. Proszę powtórzyć.',
    filler: 'Chwileczkę, proszę.',
    notUnderstood: 'Przepraszam, nie zrozumiałem tego.',
    technicalFarewell:
      'Przepraszam, mam problem techniczny i muszę zakończyć rozmowę. Do widzenia.',
    transferring: 'Łączę. Chwileczkę, proszę.',
    stopWaiting: 'Nadal próbuję się z kimś połączyć. Proszę powiedzieć stop, aby nie czekać.',
    callerWaiting: 'Jest do pana lub pani telefon.',
    callerLeft: 'Rozmówca się rozłączył. Do widzenia.',
    voicemail: 'Szkoda, że nie udało nam się porozmawiać. Zadzwonimy później. Do widzenia.',
    backchannels: ['Mhm.', 'Tak.'],
    idle: [
      'Czy jest pan lub pani nadal na linii?',
      'Jestem tu, jeśli coś będzie potrzebne.',
      'Czy mnie słychać?',
    ],
    acknowledgements: ['Oczywiście.', 'Dobrze.', 'Tak, słucham.'],
  },
};
