// The look of the API reference: the console's colours, type and spacing (its theme.css; a test compares the colours), in one
// style that the policy names by its hash.
export const referenceStyle = `
:root{color-scheme:light dark;--ground:light-dark(#f6f5f2,#141518);--paper:light-dark(#ffffff,#1d1f23);--raised:light-dark(#ffffff,#25282d);--sunken:light-dark(#efede8,#101113);--ink:light-dark(#1c1d21,#ececea);--soft:light-dark(#595d68,#a6aab5);--line:light-dark(#e1dfd8,#33363d);--line-strong:light-dark(#8d8a82,#737883);--accent:light-dark(#3b429f,#b0b9ff);--accent-ink:light-dark(#ffffff,#16183a);--accent-soft:light-dark(#ebecf9,#262946);--ok:light-dark(#1f6b48,#7fd3ab);--warn:light-dark(#97430c,#ffb184);--warn-soft:light-dark(#fdeee2,#3b2417);--bad:light-dark(#9b2c1f,#ff9d8f);--bad-soft:light-dark(#fbe9e6,#3a1d19);--info:light-dark(#1e5a92,#8fc1f2);--info-soft:light-dark(#e5eff9,#16293c);--shadow:0 1px 2px rgb(0 0 0/6%),0 8px 24px rgb(0 0 0/8%);--radius:.7rem;--radius-small:.45rem;--mono:ui-monospace,SFMono-Regular,"Cascadia Mono","DejaVu Sans Mono",Menlo,monospace;--side:19rem;--bar:3.25rem}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*,*::before,*::after{box-sizing:border-box}
html{scroll-padding-top:calc(var(--bar) + 1rem)}
body{margin:0;background:var(--ground);color:var(--ink);font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI","Noto Sans",sans-serif;overflow-wrap:anywhere;text-rendering:optimizeLegibility}
h1,h2,h3{line-height:1.25;margin:0;text-wrap:balance}h1{font-size:1.45rem;letter-spacing:-.012em}h3{font-size:.85rem;margin:1.1rem 0 .35rem;color:var(--soft);font-weight:600}
h2{font-size:1.15rem;margin:2.6rem 0 .1rem}h2+p{margin:0 0 .8rem;color:var(--soft)}p{margin:.5rem 0;text-wrap:pretty}a{color:var(--accent);text-underline-offset:.18em}
code,pre,kbd{font-family:var(--mono);font-size:.86rem}
:focus-visible{outline:2.5px solid var(--accent);outline-offset:2px;border-radius:.3rem}
.quiet{color:var(--soft)}.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;top:.5rem;left:.5rem;z-index:9;translate:0 -4rem;background:var(--accent);color:var(--accent-ink);padding:.45rem .8rem;border-radius:var(--radius-small)}.skip:focus{translate:0}
.bar{position:sticky;top:0;z-index:5;display:flex;gap:.75rem;align-items:center;height:var(--bar);padding:0 1.25rem;background:var(--paper);border-bottom:1px solid var(--line)}
.home{display:flex;gap:.6rem;align-items:center;color:var(--ink);text-decoration:none;font-weight:650;white-space:nowrap}.home svg{width:1.55rem;height:1.55rem;flex:none}.home span{color:var(--soft);font-weight:450}
.find{position:relative;flex:1;max-width:34rem;margin:0 auto}.find[hidden]{display:none}
.find input{width:100%;min-height:2.2rem;padding:.3rem 3rem .3rem .8rem;font:inherit;color:inherit;background:var(--ground);border:1px solid var(--line-strong);border-radius:var(--radius-small)}
.find input:focus-visible{outline-offset:-1px}.find kbd{position:absolute;top:.45rem;right:.6rem;padding:0 .4rem;border:1px solid var(--line);border-radius:.3rem;color:var(--soft);background:var(--paper);pointer-events:none}
.find input:focus~kbd{display:none}
.found{position:absolute;inset:calc(100% + .35rem) 0 auto 0;max-height:min(30rem,70vh);overflow-y:auto;margin:0;padding:.3rem;list-style:none;background:var(--raised);border:1px solid var(--line);border-radius:var(--radius-small);box-shadow:var(--shadow)}.found[hidden]{display:none}
.found li{display:grid;grid-template-columns:3.9rem minmax(0,1fr);gap:0 .7rem;align-items:center;padding:.4rem .55rem;border-radius:.35rem;cursor:pointer}
.found li[aria-selected=true]{background:var(--accent-soft)}.found code{display:block}.found small{grid-column:2;color:var(--soft);font-size:.82rem}.found .none{display:block;color:var(--soft);cursor:auto}
.bar>.tools{display:flex;gap:.5rem;align-items:center;margin-left:auto}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.1rem;padding:.3rem .85rem;border:1px solid var(--line);border-radius:var(--radius-small);background:var(--paper);color:var(--ink);font:inherit;font-weight:550;text-decoration:none;white-space:nowrap;cursor:pointer}.button:hover{border-color:var(--line-strong)}
.frame{display:grid;grid-template-columns:var(--side) minmax(0,1fr)}
.side{position:sticky;top:var(--bar);align-self:start;height:calc(100vh - var(--bar));overflow-y:auto;border-right:1px solid var(--line);background:var(--paper);padding:.8rem .6rem 2rem;scrollbar-width:thin}
.side>details>summary{display:none}.side ul{list-style:none;margin:0;padding:0}
.side .area>summary,.side .plain{display:flex;gap:.5rem;align-items:center;padding:.32rem .6rem;border-radius:var(--radius-small);color:var(--ink);font-weight:550;text-decoration:none;cursor:pointer;list-style:none}
.side summary{list-style:none}.side summary::-webkit-details-marker{display:none}.side summary::after{content:"";margin-left:auto;width:.4rem;height:.4rem;border:solid var(--soft);border-width:0 1.5px 1.5px 0;rotate:-45deg;translate:-.15rem 0}.side details[open]>summary::after{rotate:45deg;translate:-.15rem -.1rem}
.side .area>summary:hover,.side .plain:hover,.side li a:hover{background:var(--accent-soft)}
.side .area.here>summary,.side .plain[aria-current]{color:var(--accent)}
.side li a{display:grid;grid-template-columns:3.1rem minmax(0,1fr);gap:.5rem;align-items:baseline;padding:.22rem .6rem;border-left:2px solid transparent;border-radius:0 var(--radius-small) var(--radius-small) 0;color:var(--soft);text-decoration:none;font-size:.86rem}
.side li a[aria-current]{border-left-color:var(--accent);background:var(--accent-soft);color:var(--ink);font-weight:550}.side li .m{font-size:.62rem;min-width:0;padding:.05rem .2rem}.side li a.name{display:block}
main{min-width:0;max-width:64rem;padding:1.5rem 1.75rem 6rem}.panel{background:var(--paper);border:1px solid var(--line);border-radius:var(--radius);padding:1rem 1.15rem;margin:1rem 0}.panel h2{margin-top:0}
main.alone{margin-inline:auto}.notes{display:grid;gap:.9rem;margin:.6rem 0 0}.notes dt{font-weight:600}.notes dd{margin:.3rem 0 0}
.notes ul{display:flex;flex-wrap:wrap;gap:.35rem .5rem;margin:0;padding:0;list-style:none}.notes li{margin:0}.notes code{padding:.1rem .4rem;border:1px solid var(--line);border-radius:.3rem;font-size:.85rem}
main details{background:var(--paper);border:1px solid var(--line);border-radius:var(--radius-small);margin:.4rem 0}
main details>*:not(summary){margin-left:1rem;margin-right:1rem}main details>:last-child{margin-bottom:1rem}
main details:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}main details:target::details-content{content-visibility:visible;block-size:auto}
main summary{cursor:pointer;display:grid;grid-template-columns:4.2rem minmax(0,24rem) minmax(0,1fr) .9rem;gap:.2rem .8rem;align-items:center;padding:.5rem .9rem;list-style:none;border-radius:inherit}main summary::-webkit-details-marker{display:none}
main summary:hover{background:color-mix(in oklab,var(--accent-soft) 55%,transparent)}main summary.of-schema{grid-template-columns:minmax(0,19rem) minmax(0,1fr) .9rem}
main summary::after{content:"";width:.45rem;height:.45rem;border:solid var(--soft);border-width:0 1.5px 1.5px 0;rotate:45deg;grid-row:1;grid-column:-2}main details[open]>summary::after,main details:target>summary::after{rotate:225deg}
main summary code{font-size:.88rem}main summary span{color:var(--soft)}main details[open]>summary{border-bottom:1px solid var(--line);border-radius:var(--radius-small) var(--radius-small) 0 0}
.m{display:inline-block;min-width:4.2rem;text-align:center;font:700 .72rem/1.5 var(--mono);letter-spacing:.02em;padding:.1rem .35rem;border:1.5px solid transparent}
.m-get{background:var(--info-soft);color:var(--info);border-radius:99rem}
.m-post{background:var(--accent);color:var(--accent-ink);border-radius:.25rem}
.m-put{background:var(--warn-soft);color:var(--warn);border-color:currentColor;border-radius:.25rem}
.m-patch{background:var(--warn-soft);color:var(--warn);border:1.5px dashed currentColor;border-radius:.25rem}
.m-delete{background:var(--bad-soft);color:var(--bad);clip-path:polygon(9% 0,91% 0,100% 50%,91% 100%,9% 100%,0 50%)}
.m-head{color:var(--soft);border:1.5px dotted currentColor;border-radius:99rem}
.old{color:var(--warn);font-weight:600}
.examples{display:grid;gap:.7rem;margin-top:.9rem}.examples figure{margin:0;min-width:0}figcaption{color:var(--soft);font-size:.82rem;font-weight:600;margin-bottom:.2rem}
.code{position:relative;border:1px solid var(--line);border-radius:var(--radius-small);background:var(--sunken)}pre{margin:0;padding:.65rem 2.6rem .65rem .85rem;overflow-x:auto;overflow-wrap:normal;line-height:1.55;font-size:.82rem;border-radius:inherit}
.copy{position:absolute;top:.3rem;right:.3rem;min-height:1.75rem;padding:.1rem .55rem;font-size:.8rem;background:var(--paper)}
td code,p code{background:var(--sunken);border-radius:.3rem;padding:.08rem .3rem}
table{border-collapse:collapse;width:calc(100% - 2rem);margin:.2rem 0}td{border-top:1px solid var(--line);padding:.45rem .8rem .45rem 0;vertical-align:top;font-size:.9rem}tr:first-child td{border-top:0}td:first-child{width:14rem}td:nth-child(2){width:15rem}
@media(max-width:62rem){.frame{grid-template-columns:minmax(0,1fr)}.bar{padding:0 .9rem;gap:.6rem}.home b,.home span{display:none}html{scroll-padding-top:calc(var(--bar) + 4rem)}.side{z-index:4;height:auto;max-height:calc(100vh - var(--bar));border:0;border-bottom:1px solid var(--line);padding:.15rem .6rem}
.side>details>summary{display:flex;gap:.5rem;align-items:center;min-height:2.4rem;padding:.3rem .6rem;font-weight:600;cursor:pointer}main{padding:1.1rem .9rem 4rem}}
@media(max-width:44rem){main summary{grid-template-columns:4.2rem minmax(0,1fr) .9rem}main summary.of-schema{grid-template-columns:minmax(0,1fr) .9rem}main summary span{grid-column:1/-1}
main details>*:not(summary){margin-left:.8rem;margin-right:.8rem}
table,tbody,tr,td,td:first-child,td:nth-child(2){display:block;width:auto}td{border:0;padding:0}tr{border-top:1px solid var(--line);padding:.45rem 0}tr:first-child{border-top:0}.find kbd,.tools .wide{display:none}pre{white-space:pre-wrap;overflow-wrap:anywhere;padding-right:.85rem;padding-top:2.2rem}.find input{padding-right:.8rem}.found{position:fixed;inset:calc(var(--bar) + .2rem) .6rem auto}}
@media print{.bar,.side,.copy{display:none}.frame{display:block}details{break-inside:avoid}}
@media(prefers-contrast:more){:root{--line:var(--line-strong);--soft:var(--ink)}}
.guide{max-width:50rem}.guide h2{margin-top:2.2rem}.guide h3{font-size:1rem;color:var(--ink)}.guide pre{margin:.8rem 0;padding:.8rem 1rem;border:1px solid var(--line);border-radius:var(--radius-small);background:var(--sunken)}
.guide .wide{overflow-x:auto;margin:.8rem 0}.guide table{display:table;width:100%;margin:0;font-size:.9rem}.guide thead{display:table-header-group}.guide tbody{display:table-row-group}.guide tr{display:table-row}.guide :is(th,td){display:table-cell;padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}.guide tr:target{background:var(--accent-soft)}.guide blockquote{margin:.8rem 0;padding-left:1rem;border-left:3px solid var(--line);color:var(--soft)}.guide li{margin:.2rem 0}.guide .guides{columns:16rem;padding-left:1.2rem}.guide nav ul{columns:14rem;margin:0;padding-left:1.1rem}
`;
