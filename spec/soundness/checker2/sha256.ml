(* SHA-256 (FIPS 180-4), which finds damage: no claim is true because of a digest. *)

let mask = 0xffffffff
let primes count =
  let is_prime n = List.for_all (fun d -> d < 2 || n mod d <> 0) (List.init (n - 1) Fun.id) in
  let rec from n left = if left = 0 then [] else if is_prime n then n :: from (n + 1) (left - 1) else from (n + 1) left in
  from 2 count

(* The first 32 bits of the fractional part of the k-th root of n: the least r whose power is above n * 2^(32 k), less one,
   by halving.  Powers of r, below 2^36, take more than a word: numbers are compared as lists of 16 bits, the lowest first. *)
let rec add_digits carry a b = match a, b with
  | [], [] -> if carry = 0 then [] else [ carry ]
  | x :: a, [] | [], x :: a -> let s = x + carry in (s land 0xffff) :: add_digits (s lsr 16) a []
  | x :: a, y :: b -> let s = x + y + carry in (s land 0xffff) :: add_digits (s lsr 16) a b
let rec scale_digits carry k = function
  | [] -> if carry = 0 then [] else (carry land 0xffff) :: scale_digits (carry lsr 16) k []
  | x :: a -> let s = (x * k) + carry in (s land 0xffff) :: scale_digits (s lsr 16) k a
let rec digits n = if n = 0 then [] else (n land 0xffff) :: digits (n lsr 16)
let rec times a = function [] -> [] | y :: b -> add_digits 0 (scale_digits 0 y a) (0 :: times a b)
let rec strip = function 0 :: l -> strip l | l -> l
let compare_digits a b =
  let a = strip (List.rev a) and b = strip (List.rev b) in
  match compare (List.length a) (List.length b) with 0 -> compare a b | c -> c
let root k n =
  let rec power r k = if k = 0 then [ 1 ] else times (digits r) (power r (k - 1)) in
  let target = List.init (2 * k) (fun _ -> 0) @ digits n in
  let rec search low high =
    if high - low <= 1 then low
    else
      let middle = (low + high) / 2 in
      if compare_digits (power middle k) target > 0 then search low middle else search middle high in
  search 0 (1 lsl 40) land mask

let initial = Array.of_list (List.map (root 2) (primes 8))
let constants = Array.of_list (List.map (root 3) (primes 64))

let rotate n x = ((x lsr n) lor (x lsl (32 - n))) land mask

let padded bytes =
  let length = Bytes.length bytes in
  let total = (length + 9 + 63) / 64 * 64 in
  let all = Bytes.make total '\000' in
  Bytes.blit bytes 0 all 0 length;
  Bytes.set all length '\x80';
  Bytes.set_int64_be all (total - 8) (Int64.of_int (8 * length));
  all

let schedule all start =
  let w = Array.make 64 0 in
  for i = 0 to 15 do w.(i) <- Int32.to_int (Bytes.get_int32_be all (start + (4 * i))) land mask done;
  for i = 16 to 63 do
    let a = w.(i - 15) and b = w.(i - 2) in
    let s0 = rotate 7 a lxor rotate 18 a lxor (a lsr 3) and s1 = rotate 17 b lxor rotate 19 b lxor (b lsr 10) in
    w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
  done;
  w

let block state all start =
  let w = schedule all start in
  let v = Array.copy state in
  for i = 0 to 63 do
    let a = v.(0) and b = v.(1) and c = v.(2) and e = v.(4) in
    let s1 = rotate 6 e lxor rotate 11 e lxor rotate 25 e and choice = e land v.(5) lxor (lnot e land mask land v.(6)) in
    let t1 = v.(7) + s1 + choice + constants.(i) + w.(i) in
    let s0 = rotate 2 a lxor rotate 13 a lxor rotate 22 a and majority = a land b lxor (a land c) lxor (b land c) in
    Array.blit v 0 v 1 7;
    v.(4) <- (v.(4) + t1) land mask;
    v.(0) <- (t1 + s0 + majority) land mask
  done;
  Array.map2 (fun a b -> (a + b) land mask) state v

let digest bytes =
  let all = padded bytes in
  let rec from state start = if start = Bytes.length all then state else from (block state all start) (start + 64) in
  let result = Bytes.create 32 in
  Array.iteri (fun i word -> Bytes.set_int32_be result (4 * i) (Int32.of_int word)) (from initial 0);
  result
