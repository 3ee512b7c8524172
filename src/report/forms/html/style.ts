/** The style of every page: light and dark, from 320 pixels on, and for paper. */
export const STYLE = `
:root{color-scheme:light dark}
:root{--bg:#fff;--fg:#1d232a;--dim:#555e69;--line:#d5dae0;--soft:#f4f6f8;--add:#0b6430;--addbg:#e4f6ea;--del:#a3141c;--delbg:#fdebec;--warn:#7a4a00;--warnbg:#fff3d6;--link:#0b57c2}
@media(prefers-color-scheme:dark){:root{--bg:#12161b;--fg:#e4e8ed;--dim:#a5b0bd;--line:#343c47;--soft:#1b2129;--add:#7fdca0;--addbg:#12301d;--del:#ffa3a6;--delbg:#3d171b;--warn:#f3c566;--warnbg:#382a0e;--link:#8dbbff}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:78rem;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.4rem;margin:0}
h2{font-size:1.05rem;margin:1.6rem 0 .4rem}
p{margin:.3rem 0}
ul{margin:.2rem 0;padding-left:1.3rem}
code,pre{font:13px/1.5 ui-monospace,Consolas,Menlo,monospace}
pre{margin:0;white-space:pre-wrap}
.dim{color:var(--dim)}
.fine{border-left:4px solid var(--add);background:var(--addbg);padding:.4rem .8rem;margin:.4rem 0}
.verdict{font-size:1.1rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(13rem,1fr));gap:.7rem;margin:.8rem 0}
.tile{border:1px solid var(--line);border-radius:8px;padding:.6rem .9rem;min-width:0}
.tile b{display:block;font-size:1.5rem;font-variant-numeric:tabular-nums}
.tile b span{white-space:nowrap}
.tile>span.dim{display:block;font-size:.9rem}
.by{margin:.2rem 0}.by summary{display:list-item;padding:.2rem 0;min-height:24px}
.bar{display:grid;grid-template-columns:minmax(5rem,9rem) minmax(0,1fr) 7rem;gap:.6rem;align-items:center;margin:.2rem 0}
.bar>:last-child{text-align:right;font-variant-numeric:tabular-nums}
.bar svg{display:block}.off{position:absolute}h2 small{font-weight:400}.gains{fill:var(--add)}.loses{fill:var(--del)}
.ba{display:grid;grid-template-columns:minmax(0,1fr) 2rem minmax(0,1fr);gap:.5rem;align-items:stretch;margin:.5rem 0}
.box{border:1px solid var(--line);border-radius:8px;padding:.6rem .8rem}
.to{place-self:center;font-size:1.3rem}
.chip{display:inline-block;border:1px solid var(--line);border-radius:99px;padding:0 .55rem;margin:.12rem;font-size:.87rem}
.chip.add{background:var(--addbg);border-color:var(--add)}
.chip.gone{background:var(--delbg);border-color:var(--del)}
.wide{overflow-x:auto;overflow-wrap:normal}
.dot{fill:none;stroke:var(--dim);stroke-width:2}
.dot.create{fill:var(--add);stroke:var(--add)}
.dot.update,.dot.replace{fill:var(--warn);stroke:var(--warn)}
.dot.delete,.dot.blocked{stroke:var(--del);stroke-dasharray:2}
.sum{font-size:1.1rem;font-weight:600}
.stop{border-left:4px solid var(--del);background:var(--delbg);padding:.4rem .8rem;margin:.4rem 0}
.note{border-left:4px solid var(--warn);background:var(--warnbg);padding:.4rem .8rem;margin:.4rem 0}
.ok{border-left:4px solid var(--line);background:var(--soft);padding:.4rem .8rem;margin:.4rem 0}
#tools{position:sticky;top:0;z-index:1;display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;background:var(--bg);padding:.6rem 0;border-bottom:1px solid var(--line)}
#tools[hidden]{display:none}
#tools label{display:flex;flex-direction:column;font-size:.85rem;color:var(--dim)}
#tools label[hidden]{display:none}
#tools label:first-child{flex:1 1 14rem}
input,select,button{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--dim);border-radius:4px;padding:.3rem .5rem;min-height:2.2rem;max-width:100%}
:focus-visible{outline:2px solid var(--link);outline-offset:1px}
#count{flex-basis:100%;font-size:.9rem}
.s{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;content-visibility:auto;contain-intrinsic-size:auto 2.6rem}
.s[hidden]{display:none}
.s{scroll-margin-top:7rem}
summary{cursor:pointer;padding:.45rem .7rem;display:grid;grid-template-columns:7rem minmax(0,1fr) auto;gap:0 .8rem;align-items:baseline}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--soft)}
summary b{white-space:nowrap}
.create b,.a{color:var(--add)}
.delete b,.blocked b,.r{color:var(--del)}
.update b,.replace b,.removed b,.forget b,.w{color:var(--warn)}
summary small{color:var(--dim);font-size:.85rem}
.b{padding:.2rem .8rem .8rem;border-top:1px solid var(--line)}
.o::before{content:"Left out to keep this page small: remit show FILE of this page prints it."}
a{display:inline-block;min-width:24px;min-height:24px}
.f{margin:.6rem 0 0}
.f>span{color:var(--dim);font-size:.85rem}
.x{display:grid;grid-template-columns:1fr 1fr;gap:.4rem;margin:.2rem 0}
.x>*{min-width:0}
del,ins{display:block;text-decoration:none;padding:.3rem .5rem;border-radius:4px;white-space:pre-wrap;font:13px/1.5 ui-monospace,Consolas,Menlo,monospace}
del{background:var(--delbg)}
ins{background:var(--addbg)}
del::before{content:"- ";color:var(--del)}
ins::before{content:"+ ";color:var(--add)}
mark{color:inherit;background:none;font-weight:700}
del mark{text-decoration:line-through;color:var(--del)}
ins mark{text-decoration:underline;color:var(--add)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;border-bottom:1px solid var(--line)}
@media(max-width:40rem) {
body{padding:.6rem}#tools{position:static}
.s{scroll-margin-top:1rem}summary{grid-template-columns:minmax(0,1fr) auto}summary b,summary span:last-child{grid-column:1/-1}
.bar{grid-template-columns:6rem minmax(0,1fr) 5.5rem;gap:.4rem}
.x,.ba{grid-template-columns:minmax(0,1fr)}.to{transform:rotate(90deg)}
}
@media print{#tools{display:none}body{max-width:none}.s{content-visibility:visible;break-inside:avoid}details::details-content{content-visibility:visible;height:auto}}
`;
