import type { Token } from "./tokens.ts";

// As lines are read: in lower case, without apostrophes, in the singular.
const BRANDS: ReadonlySet<string> = new Set(
  (
    "heinz,kraft,kellogg,general mill,quaker,nestle,danone,dannon,chobani,fage,oikos,siggi," +
    "yoplait,muller,activia,philadelphia,cathedral city,laughing cow,babybel,president,tillamook," +
    "sargento,land o lake,lurpak,anchor,kerrygold,flora,hellmann,duke,best food,hidden valley," +
    "newman,tropicana,minute maid,innocent,ocean spray,welch,mott,dole,del monte,green giant," +
    "bird eye,mccain,ore ida,bush,goya,old el paso,barilla,de cecco,uncle ben,ben original,knorr," +
    "campbell,progresso,maggi,barefoot,bertolli,rao,prego,ragu,classico,hershey,cadbury," +
    "lindt,ghirardelli,ferrero,mars,haribo,ben and jerry,haagen daz,breyer,magnum," +
    "talenti,halo top,blue bell,dreyer,edy,sara lee,wonder,warburton,hovi,kingsmill," +
    "dave killer,pepperidge farm,nabisco,keebler,mcvitie,walker,frito lay,lay,tyrrell," +
    "blue diamond,planter,wonderful,justin,skippy,jif,smucker,bonne maman,sun pat,whole earth," +
    "mcdonald,mcd,burger king,bk,wendy,kfc,popeye,chick fil a,taco bell,chipotle,subway,domino," +
    "pizza hut,papa john,little caesar,starbuck,costa,dunkin,dunkin donut,tim horton,pret,pret a manger," +
    "greggs,gregg,nando,wagamama,five guy,shake shack,in n out,sonic,arby,dairy queen,panda express," +
    "panera,olive garden,cheesecake factory,applebee,ihop,denny,cracker barrel,trader joe,whole food," +
    "costco,kirkland,walmart,target,great value,tesco,sainsbury,asda,morrison,waitrose,aldi,lidl," +
    "marks and spencer,m and s,co op,iceland,ikea,seven eleven,7 eleven,wawa,oatly,alpro,silk," +
    "califia,lactaid,fairlife,horizon,optimum nutrition,myprotein,huel,premier,quest,rxbar,atkin," +
    "nature valley,nature path,bob red mill,annie,amy,stouffer,lean cuisine,healthy choice," +
    "marie callender,banquet,hungry man,digiorno,tombstone,red baron,totino,tyson,perdue,purdue," +
    "butterball,oscar mayer,hillshire,hormel,applegate,jimmy dean,bumble bee,starkist,john west," +
    "prince,gorton,budweiser,bud,heineken,stella,carlsberg,carling,foster,corona,peroni," +
    "san miguel,modelo,miller,coors,busch,lipton,twining,pg tip,tetley,yorkshire,nescafe,folger," +
    "maxwell house,nespresso,schweppe,fever tree,canada dry,evian,perrier,san pellegrino,dasani," +
    "poland spring,fiji,volvic,beyond,impossible,quorn,linda mccartney,gardein,morningstar,boca"
  ).split(","),
);

const BRAND_WORDS_MAX = 3;

/** Whether the word, or words read as one, are a maker's or a shop's name. */
export function isBrand(word: string): boolean {
  return BRANDS.has(word);
}

/** Names of several words, such as `ben and jerry`, become one word, so that none is taken apart. */
export function joinBrands(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = brandLengthAt(tokens, at);
    const token = tokens[at];
    if (length > 1) result.push({ kind: "word", text: textOf(tokens, at, length) });
    else if (token) result.push(token);
    at += Math.max(1, length);
  }
  return result;
}

function brandLengthAt(tokens: readonly Token[], at: number): number {
  for (let length = BRAND_WORDS_MAX; length > 1; length -= 1) {
    if (BRANDS.has(textOf(tokens, at, length))) return length;
  }
  return 0;
}

function textOf(tokens: readonly Token[], at: number, length: number): string {
  const run = tokens.slice(at, at + length);
  return run.every(({ kind }) => kind !== "mark") ? run.map(({ text }) => text).join(" ") : "";
}
