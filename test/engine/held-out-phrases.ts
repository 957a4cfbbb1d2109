/** What callers say in one language, beside the lists of the rules, which do not read this file. */
export interface HeldOut {
  readonly reply: string;
  /** Short words by which a caller listens. */
  readonly backchannels: readonly string[];
  /** Short words by which a caller wants the floor. */
  readonly interruptions: readonly string[];
  /** Turns that are over. */
  readonly endings: readonly string[];
  /** Beginnings of turns, with the full stop that recognisers put there. */
  readonly beginnings: readonly string[];
  /** Parts of a number that nobody asked for. */
  readonly announced: string;
}

export const HELD_OUT: Readonly<Record<string, HeldOut>> = {
  en: {
    reply:
      'The parcel left Rotterdam on Monday. It usually takes one more working day until it arrives.',
    backchannels: [
      'Splendid.',
      'Crystal clear.',
      'Smashing.',
      'How delightful.',
      'Blimey.',
      'Cheers.',
    ],
    interruptions: [
      'Too slow for me.',
      'Which day?',
      'Not that parcel.',
      'Call somebody.',
      'Pause it.',
    ],
    endings: [
      'I left my umbrella on the train.',
      'Is the pool open to guests?',
      'We would like to come in.',
      'I guess so.',
    ],
    beginnings: [
      'I left my umbrella on the.',
      'We would like to come because.',
      'He asked for um.',
      'It was, let me think.',
    ],
    announced: 'You can reach me on 020.',
  },
  es: {
    reply:
      'El paquete salió de Valencia el lunes. Normalmente tarda un día laborable más en llegar.',
    backchannels: [
      'Estupendamente.',
      'Menos mal.',
      'Qué barbaridad.',
      'Magnífico.',
      'Faltaría más.',
      'Anda.',
    ],
    interruptions: [
      '¿Qué día?',
      'Ese paquete no.',
      'Quiero cambiarlo.',
      'Espéreme un poco.',
      'Otra vez.',
    ],
    endings: [
      'Me dejé el paraguas en el tren.',
      '¿Abren también los domingos?',
      'Lo quiero también.',
      'Así es como lo quiero.',
    ],
    beginnings: [
      'Me dejé el paraguas en el.',
      'Vendremos porque.',
      'Pidió ehm.',
      'Era el, déjeme ver.',
    ],
    announced: 'Mi número es el 655.',
  },
  fr: {
    reply: 'Le colis est parti de Lille lundi. Il faut en général encore un jour ouvré.',
    backchannels: [
      'Chouette.',
      'Impressionnant.',
      'Quel bonheur.',
      'Nickel chrome.',
      'Mazette.',
      'Sympa.',
    ],
    interruptions: [
      'Quel jour ?',
      'Pas ce colis.',
      'Je veux changer.',
      'Arrêtez tout.',
      'Plus lentement.',
    ],
    endings: [
      'J’ai oublié mon parapluie dans le train.',
      'La piscine est ouverte ?',
      'Je viens avec elle.',
      'On se voit demain, donc.',
    ],
    beginnings: [
      'J’ai oublié mon parapluie dans le.',
      'On viendra parce que.',
      'Il a demandé heu.',
      'C’était, comment dire.',
    ],
    announced: 'Mon numéro, c’est le 07.',
  },
  de: {
    reply: 'Das Paket hat Bremen am Montag verlassen. Meist dauert es noch einen Werktag.',
    backchannels: ['Famos.', 'Wie erfreulich.', 'Donnerwetter.', 'Cool.', 'Sauber.', 'Fein.'],
    interruptions: [
      'Welcher Tag?',
      'Nicht dieses Paket.',
      'Ich will etwas anderes.',
      'Warten Sie bitte.',
      'Noch mal.',
    ],
    endings: [
      'Ich habe den Schirm im Zug gelassen.',
      'Hat das Bad offen?',
      'Machen Sie das Licht an.',
      'Mir passt es auch.',
    ],
    beginnings: [
      'Ich habe den Schirm im.',
      'Wir kommen, weil.',
      'Er wollte ähm.',
      'Das war, lassen Sie mich überlegen.',
    ],
    announced: 'Meine Nummer ist die 0170.',
  },
  pt: {
    reply: 'A encomenda saiu de Braga na segunda. Normalmente demora mais um dia útil.',
    backchannels: [
      'Que maravilha.',
      'Espetacular.',
      'Nossa.',
      'Fantástico.',
      'Bacana.',
      'Impecável.',
    ],
    interruptions: [
      'Que dia?',
      'Essa encomenda não.',
      'Quero mudar.',
      'Espera um pouco.',
      'Outra vez.',
    ],
    endings: [
      'Deixei o guarda-chuva no comboio.',
      'A piscina está aberta?',
      'Eu também quero.',
      'Somos vinte e um.',
    ],
    beginnings: [
      'Deixei o guarda-chuva no.',
      'Vamos porque.',
      'Ele pediu hã.',
      'Era o, deixa eu ver.',
    ],
    announced: 'Meu número é o 912.',
  },
  it: {
    reply: 'Il pacco è partito da Torino lunedì. Di solito ci vuole ancora un giorno lavorativo.',
    backchannels: [
      'Che meraviglia.',
      'Fantastico.',
      'Accidenti.',
      'Stupendo.',
      'Meno male.',
      'Mica male.',
    ],
    interruptions: [
      'Che giorno?',
      'Non quel pacco.',
      'Vorrei cambiare.',
      'Aspetti un po’.',
      'Un’altra volta, ripeta.',
    ],
    endings: [
      'Ho lasciato l’ombrello sul treno.',
      'La piscina è aperta?',
      'Lo voglio anche io.',
      'Ci vediamo domani, allora.',
    ],
    beginnings: [
      'Ho lasciato l’ombrello sul.',
      'Veniamo perché.',
      'Ha chiesto ehm.',
      'Era il, mi faccia pensare.',
    ],
    announced: 'Il mio numero è il 347.',
  },
  nl: {
    reply: 'Het pakket is maandag uit Breda vertrokken. Meestal duurt het nog één werkdag.',
    backchannels: ['Wat fijn.', 'Schitterend.', 'Jeetje.', 'Gaaf.', 'Mooi zo.', 'Keurig.'],
    interruptions: [
      'Welke dag?',
      'Niet dat pakket.',
      'Ik wil wat anders.',
      'Wacht u even.',
      'Nog een keer.',
    ],
    endings: [
      'Ik heb mijn paraplu in de trein laten liggen.',
      'Is het zwembad open?',
      'Doe het licht aan.',
      'Dat wil ik ook.',
    ],
    beginnings: [
      'Ik heb mijn paraplu in de.',
      'We komen omdat.',
      'Hij wilde uhm.',
      'Het was, even kijken.',
    ],
    announced: 'Mijn nummer is 061.',
  },
  hi: {
    reply: 'पार्सल सोमवार को दिल्ली से निकल गया। आम तौर पर एक दिन और लगता है।',
    backchannels: ['कमाल है।', 'लाजवाब।', 'गज़ब।', 'बहुत ख़ूब।', 'मज़ा आ गया।', 'सुंदर।'],
    interruptions: ['कब?', 'वह पार्सल नहीं।', 'मुझे बदलना है।', 'रुकिएगा ज़रा।', 'फिर से।'],
    endings: ['मेरा छाता ट्रेन में रह गया।', 'क्या पूल खुला है?', 'हम कल आएँगे।', 'यह मेरा है।'],
    beginnings: ['हम आएँगे क्योंकि।', 'मेरा छाता और।', 'उसने माँगा उम्म।', 'वह था, सोचने दीजिए।'],
    announced: 'मेरा नंबर है 981.',
  },
  pl: {
    reply: 'Paczka wyjechała z Gdyni w poniedziałek. Zwykle trwa to jeszcze jeden dzień roboczy.',
    backchannels: ['Cudownie.', 'Kapitalnie.', 'Rewelacja.', 'Miło.', 'Ojej.', 'Pięknie.'],
    interruptions: [
      'Który dzień?',
      'Nie ta paczka.',
      'Chcę zmienić.',
      'Proszę zaczekać trochę.',
      'Jeszcze raz.',
    ],
    endings: [
      'Zostawiłem parasol w pociągu.',
      'Czy basen jest otwarty?',
      'Ja też.',
      'To jest moje.',
    ],
    beginnings: [
      'Zostawiłem parasol w.',
      'Przyjdziemy, bo.',
      'On chciał yyyy.',
      'To było, niech pomyślę.',
    ],
    announced: 'Mój numer to 501.',
  },
  sv: {
    reply: 'Paketet lämnade Malmö i måndags. Det brukar ta en arbetsdag till.',
    backchannels: ['Vad härligt.', 'Kanon.', 'Oj då.', 'Utmärkt ju.', 'Jösses.', 'Strålande.'],
    interruptions: [
      'Vilken dag?',
      'Inte det paketet.',
      'Jag vill byta.',
      'Vänta nu lite.',
      'En gång till.',
    ],
    endings: [
      'Jag glömde mitt paraply på tåget.',
      'Är poolen öppen?',
      'Sätt på lampan därinne.',
      'Det vill jag också.',
    ],
    beginnings: [
      'Vi vill boka ett rum för att.',
      'Vi kommer eftersom.',
      'Han bad om öhm.',
      'Det var, låt mig tänka.',
    ],
    announced: 'Ni når mig på 070.',
  },
};
