import sharp from "sharp";
import { openEnginePool } from "./engine-pool.ts";
import { readFileSync, writeFileSync } from "node:fs";
sharp.concurrency(1); sharp.cache(false);
const w=1024,h=1024; const noise=Buffer.alloc(w*h*3); for(let y=0;y<h;y++)for(let x=0;x<w;x++)for(let c=0;c<3;c++)noise[(y*w+x)*3+c]=128+90*Math.sin(x/(20+c*7)+y/40)+((x*31+y*17+c)%13);
const photo=await sharp(noise,{raw:{width:w,height:h,channels:3}}).jpeg({quality:90}).toBuffer(); writeFileSync("/tmp/eng/photo.jpg",photo);
const n=(class_type:string,inputs:object)=>({class_type,inputs:inputs as Record<string,unknown>});
const g: any = {
 a:n("LoadImage",{image:"p"}), b:n("EmptyImage",{width:w,height:h,batch_size:1,color:0x804020}),
 c:n("ImageBlur",{image:["a",0],blur_radius:3,sigma:1}), d:n("ImageInvert",{image:["c",0]}),
 e:n("ImageBlend",{image1:["d",0],image2:["b",0],blend_factor:.5,blend_mode:"screen"}),
 f:n("ImageScale",{image:["e",0],upscale_method:"bicubic",width:768,height:768,crop:"disabled"}),
 g:n("ImageScale",{image:["f",0],upscale_method:"bilinear",width:w,height:h,crop:"disabled"}),
 h:n("ImageFlip",{image:["g",0],flip_method:"y-axis: horizontally"}), i:n("ImageRotate",{image:["h",0],rotation:"90 degrees"}),
 j:n("ImageBlend",{image1:["i",0],image2:["a",0],blend_factor:.5,blend_mode:"multiply"}),
 k:n("SolidMask",{value:1,width:512,height:512}), l:n("FeatherMask",{mask:["k",0],left:64,top:64,right:64,bottom:64}),
 m:n("ImageScale",{image:["a",0],upscale_method:"area",width:512,height:512,crop:"disabled"}),
 o:n("ImageCompositeMasked",{destination:["j",0],source:["m",0],x:256,y:256,resize_source:false,mask:["l",0]}),
 q:n("ImageSharpen",{image:["o",0],sharpen_radius:1,sigma:1,alpha:.1}), r:n("ImageCrop",{image:["q",0],width:1000,height:1000,x:12,y:12}),
 s:n("ImageScale",{image:["r",0],upscale_method:"lanczos",width:w,height:h,crop:"disabled"}),
 t:n("ImageInvert",{image:["s",0]}), u:n("ImageInvert",{image:["t",0]}), v:n("SaveImage",{images:["u",0],filename_prefix:"twenty"}),
};
const pool=openEnginePool({size:2}); await pool.warm();
const host:any={readAsset:async()=>({path:"/tmp/eng/photo.jpg",hash:"1"}),callModel(){},async saveOutput(o:any){writeFileSync("/tmp/eng/twenty.png",readFileSync(o.path));},onEvent(){}};
const raw=(b:Buffer,s=1024)=>sharp(b,{raw:{width:s,height:s,channels:3}});
async function pipe(){ const r=(x:sharp.Sharp)=>x.raw().toBuffer();
 const a=await r(sharp("/tmp/eng/photo.jpg")); const b=await r(sharp({create:{width:w,height:h,channels:3,background:"#804020"}}));
 const c=await r(raw(a).blur(2)); const d=await r(raw(c).negate()); const e=await r(raw(d).composite([{input:b,raw:{width:w,height:h,channels:3},blend:"screen"}]).removeAlpha());
 const f=await r(raw(e).resize(768,768,{kernel:"cubic"})); const g2=await r(raw(f,768).resize(w,h,{kernel:"linear"})); const hh=await r(raw(g2).flop()); const i=await r(raw(hh).rotate(90));
 const j=await r(raw(i).composite([{input:a,raw:{width:w,height:h,channels:3},blend:"multiply"}]).removeAlpha()); const m=await raw(a).resize(512,512).ensureAlpha(0.5).png({compressionLevel:0}).toBuffer();
 const o=await r(raw(j).composite([{input:m,left:256,top:256}]).removeAlpha()); const q=await r(raw(o).sharpen({sigma:1})); const rr=await r(raw(q).extract({left:12,top:12,width:1000,height:1000}));
 const s=await r(raw(rr,1000).resize(w,h)); const t=await r(raw(s).negate()); const u=await r(raw(t).negate()); return raw(u).png({compressionLevel:4,adaptiveFiltering:true}).toBuffer(); }
const times=(async(name:string,run:()=>Promise<unknown>)=>{ await run(); await run(); const l=[]; for(let i=0;i<6;i++){const t=performance.now(); await run(); l.push(performance.now()-t);} l.sort((x,y)=>x-y); console.log(name,"best",l[0]!.toFixed(),"median",l[3]!.toFixed()); });
let id=0;
await times("engine", async()=>{const r=await pool.run({id:"j"+id++,graph:g},host); if(r.status!=="succeeded") console.log(r); });
await times("sharp ", pipe);
await times("engine", async()=>{await pool.run({id:"j"+id++,graph:g},host);});
await times("8 at once", async()=>{await Promise.all(Array.from({length:8},()=>pool.run({id:"j"+id++,graph:g},host)));});
console.log((await pool.run({id:"j"+id++,graph:g},host)).metrics);
await pool.close();
