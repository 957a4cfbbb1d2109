import { type LanguageData, phrases } from './language-data.ts';

export const portuguese: LanguageData = {
  tag: 'pt',
  backchannels: phrases(`
    sim, sim sim, é, pois, pois é, pois não, pois sim, ok, okay, tá, tá bom, tá certo, tá bem,
    está bem, está bom, está certo, certo, certinho, aham, ahã, uhum, hum, hm, hmm, mm, mhm, ah,
    ah sim, ah é, ah tá, oh, entendi, entendo, percebi, percebo, compreendo, já entendi, claro,
    claro que sim, com certeza, exato, exatamente, isso, isso mesmo, beleza, legal, ótimo, bom,
    boa, bem, muito bem, muito bom, perfeito, excelente, maravilha, que bom, que ótimo, que legal,
    fixe, combinado, de acordo, verdade, é verdade, sério, não diga, não acredito,
    não tem problema, sem problema, não faz mal, nada mal, imagino, sei, eu sei, já sei, obrigado,
    obrigada, muito obrigado, muito obrigada, show, joia, perfeitamente, sem dúvida, faz sentido,
    parece bom, boa ideia`),
  stopPhrases: phrases(`
    para, pare, parar, espera, espere, espera aí, espere aí, peraí, um momento, um momentinho,
    um minuto, um minutinho, um segundo, um instante, só um momento, só um minuto, só um segundo,
    não, não não, desculpa, desculpe, perdão, com licença, na verdade, escuta, escute, olha só,
    silêncio, chega, basta, cancela, cancele, alô, olá, calma, devagar, mais devagar, como assim,
    posso falar, deixa eu falar, deixe-me falar, cala a boca`),
  refusals: phrases(`
    não, nada, nunca, jamais, nem, mas, errado, errada, erro, outro, outra, outros, outras,
    diferente, em vez, de novo, outra vez, repete, repita, repetir, próximo, próxima, voltar,
    volta, ajuda, alguém, pessoa, humano, humana, atendente, mais alto, mais baixo, mais rápido,
    rápido, esquece, esqueça, muda, mudar, deixa, quero, queria, gostaria, preciso, tenho, me dá,
    me dê, me diga, pode, poderia, posso, meu, minha, por favor, tchau, adeus, e, ou, se, porque,
    quando`),
  stopStems: phrases(`
    espera, esper, aguard, interromp, desculp, perd, silêncio, silenc, cancel, escut, chega, bast,
    parar, calm, moment, minut, segund, instant, sufici`),
  hesitations: phrases('hã, ahn, eh, éh, hum, hm, ãh, ãhn, é é'),
  markers: phrases('tipo, então, bom, bem, quer dizer, sabe, né, assim, olha, enfim, pronto'),
  timeouts: phrases(`
    deixa eu ver, deixa ver, deixe-me ver, deixa eu pensar, deixe-me pensar, vamos ver,
    como se diz, como é que se diz, como dizer, um momento, um momentinho, um minutinho,
    um segundo, só um minuto, espera, espere, peraí, espera aí, não desculpa, não desculpe,
    desculpa não, ou melhor, aliás`),
  openEnders: phrases(`
    e, ou, mas, porque, que, se, quando, como, embora, enquanto, onde, pois, o, a, os, as, um,
    uma, uns, umas, meu, minha, meus, minhas, seu, sua, seus, suas, nosso, nossa, de, do, da, dos,
    das, em, no, na, nos, nas, ao, à, aos, às, com, sem, por, pelo, pela, para, pra, pro, desde,
    até, sobre, entre, eu, ele, ela, sou, é, está, estou, quero, queria, gostaria, preciso,
    preciso de, tenho, pode, poderia, posso, meu nome é, me chamo, muito, também, talvez, número,
    este, esta, esse, essa`),
  mayClose: phrases(`
    pois, eu, ele, ela, é, está, estou, quero, queria, preciso, tenho, pode, poderia, posso, também,
    talvez, muito, número, seu, sua, meu, minha, um, uma, este, esta, esse, essa, nos`),
  digits: phrases('zero, um, uma, dois, duas, três, quatro, cinco, seis, meia, sete, oito, nove'),
  phoneDigits: 9,
  numbers: phrases(`
    zero, um, dois, três, quatro, cinco, seis, sete, oito, nove, dez, onze, doze, treze, catorze,
    quinze, dezesseis, dezessete, dezoito, dezenove, vinte, trinta, quarenta, cinquenta, sessenta,
    setenta, oitenta, noventa, cem, cento, duzentos, trezentos, mil, milhão, vírgula, mais, traço,
    uma, duas, meia, quatorze, dezasseis, dezassete, dezanove`),
  machinePhrases: phrases(`
    deixe um recado, deixe o seu recado, deixe seu recado, deixe uma mensagem,
    deixe a sua mensagem, deixe sua mensagem, após o sinal, depois do sinal, após o bipe,
    caixa postal, caixa de mensagens, correio de voz, não está disponível, não pode atender,
    fora da área, secretária eletrônica, ligou para, digite um, digite 1, marque 1, tecle um`),
  holdPhrases: phrases(`
    aguarde na linha, não desligue, permaneça na linha, por favor aguarde,
    aguarde um momento por favor, a sua chamada é importante, sua ligação é importante,
    nossos atendentes`),
  greetings: phrases(`
    olá, oi, oi oi, alô, bom dia, boa tarde, boa noite, sim, sim alô, tudo bem, tem alguém aí,
    está me ouvindo, está lá, estou`),
  shortAnswers: phrases(`
    sim, não, é, claro, ok, certo, isso, exato, exatamente, com certeza, sim por favor,
    não obrigado, não obrigada, obrigado, obrigada, por favor, talvez, nunca, ainda não,
    é só isso, só isso, mais nada, perfeito, pode ser, pode, quero, tudo bem, tá bom, está bem`),
  yesNoStarts: phrases(`
    é, são, está, estão, tem, têm, pode, posso, poderia, quer, deseja, gostaria, precisa, há, foi,
    recebeu, prefere, certo, correto, verdade, não é, tudo bem`),
  questionStarts: phrases(`
    o que, que, quem, onde, quando, como, por que, qual, quais, quanto, quanta, quantos, quantas, é,
    tem, têm, pode, posso, poderia, há, a que`),
  dictation: {
    phone: phrases(`
      número de telefone, telefone, celular, telemóvel, número de celular, seu número, o seu número,
      número de contato, número de contacto`),
    card: phrases('número do cartão, cartão de crédito, cartão de débito, número da conta, iban'),
    code: phrases(`
      código, cep, código postal, número do pedido, número de cliente, número da reserva,
      referência, protocolo, cpf, nif, senha, pin`),
    email: phrases('email, e-mail, correio eletrônico, correio eletrónico'),
    birth: phrases('data de nascimento, nasceu, nascido, nascida'),
    date: phrases('que data, qual data, que dia, qual dia'),
    spelling: phrases('soletrar, soletre, soletra'),
    asking: phrases(`
      qual, que, pode, poderia, diga, me diga, me diz, informe, informar, dê, dar, dizer, indique,
      por favor, preciso, soletrar, soletre, repetir, repita`),
  },
  announcing: phrases(`
    me ligar, ligar-me, me ligue, ligue para, ligar para, ligar no, me encontrar, meu número,
    o meu número, o número é, meu celular, meu telefone, meu telemóvel`),
  emailAt: phrases('arroba'),
  emailDot: phrases('ponto'),
  months: phrases(`
    janeiro, fevereiro, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro,
    dezembro`),
  takenOver: 'Desculpe, a linha caiu por um momento.',
  lines: {
    apology: 'Desculpe, houve um problema do meu lado. Pode repetir?',
    filler: 'Um momento, por favor.',
    notUnderstood: 'Desculpe, não entendi.',
    technicalFarewell:
      'Desculpe, estou com um problema técnico e preciso encerrar a ligação. Até logo.',
    transferring: 'Vou passar a ligação. Um momento, por favor.',
    stopWaiting: 'Ainda estou tentando falar com alguém. Diga pare se preferir não esperar.',
    callerWaiting: 'Há uma ligação para você.',
    callerLeft: 'A pessoa desligou. Até logo.',
    voicemail: 'Que pena não conseguirmos falar. Ligaremos mais tarde. Até logo.',
    backchannels: ['Uhum.', 'Sim.'],
    idle: ['Ainda está aí?', 'Continuo aqui, se precisar de algo.', 'Está me ouvindo?'],
    acknowledgements: ['Claro.', 'Certo.', 'Sim, pode falar.'],
  },
};
